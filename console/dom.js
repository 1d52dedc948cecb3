// SPDX-License-Identifier: Apache-2.0
// h() describes elements, patch() changes the document to match such a description. Elements that continue to exist are
// kept, so that focus, selection, scroll position and open details survive an update. Text is only set as text nodes.
// @ts-check

/** @typedef {{tag: string, key: string, props: Record<string, any>, children: Vnode[], node: Node | null}} Vnode */
/** @typedef {Vnode | string | number | false | null | undefined | Content[]} Content */

/**
 * Describes an element. A description that is passed again costs nothing. Properties: `key` (identity among its
 * siblings), `ref` (called with the new element), `on…` (a listener), `value` and `checked` (set when they change in
 * the description), `style` (an object); all others are attributes. An absent child keeps its place, so that its
 * siblings keep their identity.
 * @param {string} tag
 * @param {Record<string, any> | null} [props]
 * @param {...Content} content
 * @returns {Vnode}
 */
export function h(tag, props, ...content) {
  const {key, ...others} = props ?? {};
  return {tag, key: key === undefined ? '' : `=${key}`, props: others, children: flatten(content, ''), node: null};
}

/**
 * @param {Content[]} content
 * @param {string} prefix
 * @returns {Vnode[]}
 */
function flatten(content, prefix) {
  /** @type {Vnode[]} */
  const all = [];
  content.forEach((item, index) => {
    if (item === null || item === undefined || item === false) return;
    if (Array.isArray(item)) {
      all.push(...flatten(item, `${prefix}${index}.`));
    } else if (typeof item === 'object') {
      all.push(item.key ? item : {...item, key: prefix + index});
    } else {
      all.push({tag: '', key: prefix + index, props: {text: String(item)}, children: [], node: null});
    }
  });
  return all;
}

/**
 * Changes the children of `parent` from `before`, the result of the call before, to `content`.
 * @param {Element} parent
 * @param {Vnode[]} before
 * @param {Content[]} content
 * @returns {Vnode[]}
 */
export function patch(parent, before, content) {
  const next = flatten(content, '');
  const focused = document.activeElement;
  update(parent, before, next);
  // Moving an element in the document removes its focus.
  if (focused instanceof HTMLElement && focused !== document.activeElement && focused.isConnected) {
    focused.focus({preventScroll: true});
  }
  return next;
}

/**
 * @param {Element} parent
 * @param {Vnode[]} before
 * @param {Vnode[]} next
 */
function update(parent, before, next) {
  // Mostly nothing is added or removed.
  const isSame = (/** @type {Vnode} */ {tag, key}, /** @type {number} */ at) =>
    before[at].tag === tag && before[at].key === key;
  if (before.length === next.length && next.every(isSame)) {
    next.forEach((vnode, at) => change(before[at], vnode));
    return;
  }
  const old = new Map(before.map((vnode) => [vnode.tag + vnode.key, vnode]));
  /** @type {(Vnode | undefined)[]} */
  const matches = next.map((vnode) => {
    const match = old.get(vnode.tag + vnode.key);
    old.delete(vnode.tag + vnode.key);
    return match;
  });
  const kept = new Set(matches);
  for (const vnode of before) {
    if (!kept.has(vnode)) vnode.node?.parentNode?.removeChild(vnode.node);
  }
  let place = parent.firstChild;
  next.forEach((vnode, index) => {
    const match = matches[index];
    const node = match?.node ?? create(vnode);
    if (match) change(match, vnode);
    if (node === place) {
      place = place.nextSibling;
    } else {
      parent.insertBefore(node, place);
    }
  });
}

/** @param {Vnode} vnode @returns {Node} */
function create(vnode) {
  if (vnode.tag === '') {
    vnode.node = document.createTextNode(vnode.props.text);
    return vnode.node;
  }
  const element = document.createElement(vnode.tag);
  vnode.node = element;
  update(element, [], vnode.children);
  for (const [name, value] of Object.entries(vnode.props)) set(element, name, value, undefined);
  vnode.props.ref?.(element);
  return element;
}

/** @param {Vnode} before @param {Vnode} next */
function change(before, next) {
  if (before === next) return;
  next.node = before.node;
  if (next.tag === '') {
    if (before.props.text !== next.props.text) /** @type {Text} */ (next.node).data = next.props.text;
    return;
  }
  const element = /** @type {HTMLElement} */ (next.node);
  update(element, before.children, next.children);
  // A value without its option has no effect, so it is set again when the options change.
  if (element instanceof HTMLSelectElement && before.children.length !== next.children.length) {
    element.value = next.props.value;
  }
  for (const name of Object.keys(before.props)) {
    if (!(name in next.props)) set(element, name, undefined, before.props[name]);
  }
  for (const [name, value] of Object.entries(next.props)) {
    if (value !== before.props[name]) set(element, name, value, before.props[name]);
  }
}

/**
 * @param {HTMLElement} element
 * @param {string} name
 * @param {any} value
 * @param {any} before
 */
function set(element, name, value, before) {
  if (name === 'ref') return;
  if (name.startsWith('on') || name === 'value' || name === 'checked') {
    /** @type {any} */ (element)[name] = value ?? null;
  } else if (name === 'style') {
    for (const [property, text] of Object.entries(value ?? {})) {
      if (text !== before?.[property]) element.style.setProperty(property, /** @type {string} */ (text));
    }
  } else if (value === undefined || value === null || value === false) {
    element.removeAttribute(name);
  } else {
    element.setAttribute(name, value === true ? '' : String(value));
  }
}

/**
 * The rows of a long table that are near the visible part of the page. The others are replaced by empty space. All rows
 * must have the same height, which is measured. The row that has the focus stays in the document.
 */
export class RowWindow {
  /** Rows above and below the visible ones. */
  static margin = 8;

  constructor() {
    /** @type {HTMLElement | null} */
    this.body = null;
    this.height = 34;
    this.start = 0;
    this.end = 40;
    this.count = 0;
  }

  /** Computes the range from the scroll position. Returns whether it has changed. */
  measure() {
    if (!this.body?.isConnected) return false;
    const row = this.body.querySelector('tr[data-key]');
    const height = row instanceof HTMLElement && row.offsetHeight > 0 ? row.offsetHeight : this.height;
    const top = -this.body.getBoundingClientRect().top;
    const first = Math.floor(top / height) - RowWindow.margin;
    const visible = Math.ceil(window.innerHeight / height) + 2 * RowWindow.margin;
    const start = Math.max(0, Math.min(first, this.count - visible));
    const end = Math.min(this.count, Math.max(0, start + visible));
    if (start === this.start && end === this.end && height === this.height) return false;
    Object.assign(this, {start, end, height});
    return true;
  }

  /**
   * @template T
   * @param {T[]} items
   * @param {(item: T) => string} key
   * @param {(item: T, index: number) => Vnode} row
   * @param {number} columns
   * @returns {Content[]}
   */
  rows(items, key, row, columns) {
    if (items.length !== this.count) {
      this.count = items.length;
      this.measure();
    }
    const end = Math.min(this.end, items.length);
    const start = Math.min(this.start, end);
    const focus = document.activeElement?.closest('tr[data-key]');
    const focusedKey = focus && this.body?.contains(focus) ? focus.getAttribute('data-key') : null;
    const focused = focusedKey === null ? -1 : items.findIndex((item) => key(item) === focusedKey);
    const ranges = [[start, end]];
    if (focused >= 0 && focused < start) ranges.unshift([focused, focused + 1]);
    if (focused >= end) ranges.push([focused, focused + 1]);
    /** @type {Content[]} */
    const all = [];
    let at = 0;
    for (const [from, to] of ranges) {
      all.push(this.space(from - at, `before${from === focused ? 'Focus' : ''}`, columns));
      for (let index = from; index < to; index++) all.push(row(items[index], index));
      at = to;
    }
    all.push(this.space(items.length - at, 'after', columns));
    return all;
  }

  /** @param {number} rows @param {string} key @param {number} columns @returns {Content} */
  space(rows, key, columns) {
    return rows > 0 && h('tr', {key, class: 'space', 'aria-hidden': 'true'},
      h('td', {colspan: columns, style: {height: `${rows * this.height}px`}}));
  }
}
