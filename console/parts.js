// SPDX-License-Identifier: Apache-2.0
// Parts that several views use: states, times, tables, causes, writes and reconciles.
// @ts-check

import {h} from './dom.js';
import {clock, count, duration, kindName, plural, relative} from './format.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./dom.js').Content} Content */

/** @param {string} path @param {Record<string, string | undefined>} [parameters] */
export function address(path, parameters = {}) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value) query.set(name, value);
  return `#/${path}${query.size ? `?${query}` : ''}`;
}

/** @param {string} name */
export const controllerAddress = (name) => address(`controllers/${encodeURIComponent(name)}`);

/** @param {string} controller @param {string} key */
export const objectAddress = (controller, key) =>
  address(`controllers/${encodeURIComponent(controller)}/object`, {key});

/** @param {string} controller @param {string} key */
export const objectLink = (controller, key) => h('a', {class: 'key', href: objectAddress(controller, key)}, key);

/**
 * A state as a sign, a word and a colour.
 * @param {'good' | 'bad' | 'warn' | 'calm'} level
 * @param {string} word
 */
export function state(level, word) {
  const sign = {good: '✓', bad: '✕', warn: '!', calm: '–'}[level];
  return h('span', {class: `state ${level}`}, h('span', {class: 'sign', 'aria-hidden': 'true'}, sign), word);
}

/** @param {'ready' | 'notReady' | 'unknown' | 'missing'} readiness */
export function readiness(readiness) {
  if (readiness === 'ready') return state('good', 'ready');
  if (readiness === 'notReady') return state('bad', 'not ready');
  return readiness === 'missing' ? state('bad', 'missing') : state('calm', 'no Ready condition');
}

/** @param {Api.Reconcile} reconcile */
export function outcome({outcome, delaySeconds}) {
  if (outcome === 'error') return state('bad', 'error');
  if (outcome === 'success') return state('good', 'success');
  if (outcome === 'requeue') return state('warn', 'requeue');
  return state('calm', `requeue after${delaySeconds === undefined ? '' : ` ${duration(delaySeconds)}`}`);
}

/** The heading of a page, which gets the focus after a navigation. @param {...Content} content */
export const heading = (...content) => h('h1', {id: 'title', tabindex: '-1', key: 'title'}, ...content);

/** "12 s ago", with the exact time as tooltip. @param {App} app @param {string} time */
export const when = (app, time) =>
  h('time', {datetime: time, title: clock(time, app.now())}, relative(time, app.now()));

/** When a reconcile is due, or since when it waits. @param {App} app @param {string} time */
export const due = (app, time) => [Date.parse(time) < app.now() && 'due ', when(app, time)];

/** "14:03:10 (12 s ago)" @param {App} app @param {string} time */
export const whenExactly = (app, time) =>
  h('time', {datetime: time}, `${clock(time, app.now())} (${relative(time, app.now())})`);

/** "14:03:10" @param {App} app @param {string} time */
export const at = (app, time) => h('time', {datetime: time, title: time}, clock(time, app.now()));

/** @param {Api.Kind} kind */
export const kind = (kind) => h('span', {class: 'kind', title: kindName(kind)},
  kind.kind, h('span', {class: 'muted'}, ` ${kind.group ? `${kind.group}/` : ''}${kind.version}`));

/** @param {...[string, Content] | false | null | undefined} entries */
export const facts = (...entries) => h('dl', {class: 'facts'}, entries.map((entry, index) => entry &&
  h('div', {key: index}, h('dt', null, entry[0]), h('dd', null, entry[1]))));

/** The same page of another instance; null if it is no web address. @param {string | undefined} address */
export function pagesAddress(address) {
  try {
    const url = new URL(address ?? '');
    if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    url.hash = location.hash;
    return url.href;
  } catch {
    return null;
  }
}

/** @param {import('./app.js').Resource<any>} resource @param {string} subject */
export function failure(resource, subject) {
  // The header shows that there is no connection.
  if (!resource.error || (resource.error.status === 0 && resource.data)) return null;
  return h('p', {class: 'problem', role: 'alert'}, state('bad', `${subject} cannot be read. `), resource.error.message,
    resource.data ? ' The page shows the last answer.' : '');
}

export const loading = () => h('p', {class: 'muted'}, 'Loading …');

/**
 * @template T
 * @typedef {{title: string, class?: string, cell: (item: T) => Content}} Column
 */

/**
 * A table with a header. On a narrow page, each row becomes a block, and each cell has its title as label. The roles
 * are explicit for that case.
 * @template T
 * @param {{label: string, columns: Column<T>[], items: T[], key: (item: T) => string, class?: string,
 *          rows?: import('./dom.js').RowWindow}} table
 */
export function table({label, columns, items, key, rows, class: style}) {
  const row = (/** @type {T} */ item, /** @type {number} */ index) => h('tr', {
    key: key(item), role: 'row', 'data-key': key(item), 'aria-rowindex': rows && index + 2,
  }, columns.map((column) =>
    h('td', {role: 'cell', class: column.class, 'data-label': column.title}, h('div', null, column.cell(item)))));
  return h('table', {role: 'table', 'aria-label': label, class: `${rows ? 'long ' : ''}${style ?? ''}`,
    'aria-rowcount': rows && items.length + 1},
    h('thead', {role: 'rowgroup'}, h('tr', {role: 'row'}, columns.map((column) =>
      h('th', {role: 'columnheader', scope: 'col', class: column.class}, column.title)))),
    h('tbody', {role: 'rowgroup', ref: rows && ((/** @type {HTMLElement} */ body) => {
      rows.body = body;
    })}, rows ? rows.rows(items, key, row, columns.length) : items.map(row)));
}

/** @param {Api.Cause[]} causes @param {App} app @param {number} [dropped] */
export function causeList(causes, app, dropped = 0) {
  return h('ul', {class: 'causes'},
    causes.map((cause, index) => h('li', {key: index}, cause.text || cause.source,
      cause.queuedAt && h('span', {class: 'muted'}, ' queued ', at(app, cause.queuedAt)))),
    dropped > 0 && h('li', {class: 'muted'}, `and ${plural(dropped, 'more cause')}`));
}

/**
 * The first cause and the number of the others. The kind and the key of the reconciled object are left out.
 * @param {Api.Cause[]} causes
 * @param {string} key
 * @param {Api.Kind} [kind]
 * @param {number} [dropped]
 */
export function causesInShort(causes, key, kind, dropped = 0) {
  if (causes.length === 0) return 'no known cause';
  const more = causes.length - 1 + dropped;
  const text = causes[0].text || causes[0].source;
  return `${kind ? text.replace(`${kindName(kind)} ${key} `, '') : text}${more ? ` (and ${count(more)} more)` : ''}`;
}

/** @param {Api.Write} write @param {number} index */
function writeEntry(write, index) {
  return h('li', {key: index},
    h('strong', null, write.verb), ` ${kindName(write.kind)} `, h('span', {class: 'key'}, write.key),
    write.version && h('span', {class: 'muted'}, ` version ${write.version}`),
    write.changes && write.changes.length > 0 && h('ul', {class: 'diff'}, write.changes.map((change) =>
      h('li', {key: change.path}, h('code', {class: 'path'}, change.path || '(whole object)'),
        change.before !== undefined && h('del', null, h('span', {class: 'only-read'}, 'before: '), change.before),
        change.after !== undefined && h('ins', null, h('span', {class: 'only-read'}, 'after: '), change.after)))),
    write.changesDropped ? h('p', {class: 'muted'}, `and ${plural(write.changesDropped, 'more difference')}`) : null);
}

/**
 * Reconciles, each with its details. While details are open, the list does not change, so that nothing moves.
 */
export class ReconcileList {
  /** @param {App} app @param {boolean} isOfOneObject */
  constructor(app, isOfOneObject) {
    this.app = app;
    this.isOfOneObject = isOfOneObject;
    /** @type {Set<number>} */
    this.open = new Set();
    /** @type {Api.Reconcile[]} */
    this.shown = [];
    this.isHeld = false;
  }

  release() {
    this.isHeld = false;
    this.shown = [];
    this.open.clear();
  }

  /** @param {Api.Reconcile[]} latest the newest first */
  render(latest) {
    const isHeld = this.isHeld || this.open.size > 0;
    const newest = this.shown.length > 0 ? this.shown[0].id : -1;
    if (!isHeld || this.shown.length === 0) this.shown = latest;
    const newer = isHeld ? latest.filter(({id}) => id > newest).length : 0;
    return [
      h('p', {class: 'held', key: 'held'}, isHeld && newest >= 0 && [
        `The list is held${this.open.size > 0 ? ' while details are open' : ''}; ${
          newer === 0 ? 'nothing is newer' : `${count(newer)} newer`}. `,
        this.open.size > 0 && h('button', {type: 'button', class: 'small', onclick: () => {
          for (const details of document.querySelectorAll('.reconciles details[open]')) details.removeAttribute('open');
          this.release();
          this.app.invalidate();
        }}, 'Close details and update')]),
      this.shown.length === 0
        ? h('p', {class: 'muted', key: 'none'}, 'No reconcile is recorded.')
        : h('ol', {class: 'reconciles', key: 'list'}, this.shown.map((reconcile) => this.entry(reconcile))),
    ];
  }

  /** @param {Api.Reconcile} reconcile */
  entry(reconcile) {
    const {app} = this;
    return h('li', {key: reconcile.id}, h('details', {
      ontoggle: (/** @type {Event} */ event) => {
        const {open} = /** @type {HTMLDetailsElement} */ (event.target);
        if (open) this.open.add(reconcile.id);
        else this.open.delete(reconcile.id);
        app.invalidate();
      },
    },
      h('summary', null,
        h('span', {class: 'time'}, at(app, reconcile.begun)), ' ',
        !this.isOfOneObject && h('span', {class: 'subject'}, h('span', {class: 'key'}, reconcile.key),
          h('span', {class: 'muted'}, ` ${reconcile.controller} `)),
        outcome(reconcile), ' ',
        h('span', {class: 'took'}, duration(reconcile.seconds)), ' ',
        h('span', {class: 'short'}, reconcile.error ?? causesInShort(reconcile.causes, reconcile.key,
          app.controllers.find(({name}) => name === reconcile.controller)?.kind, reconcile.causesDropped),
          reconcile.writes.length > 0 && !reconcile.error &&
            h('span', {class: 'muted'}, `; ${plural(reconcile.writes.length, 'write')}`))),
      this.open.has(reconcile.id) && this.details(reconcile)));
  }

  /** @param {Api.Reconcile} reconcile */
  details(reconcile) {
    const {app} = this;
    return h('div', {class: 'details'},
      !this.isOfOneObject && h('p', null, 'Object: ', objectLink(reconcile.controller, reconcile.key)),
      reconcile.error !== undefined && h('p', {class: 'error-text'}, 'Error: ', reconcile.error),
      h('p', {class: 'muted'}, `Began ${clock(reconcile.begun, app.now())}, ran ${duration(reconcile.seconds)}`,
        reconcile.queuedSeconds !== undefined && `, was due for ${duration(reconcile.queuedSeconds)} before`,
        reconcile.traceId && ['; trace ', h('code', {class: 'trace'}, reconcile.traceId)], '.'),
      h('h3', null, 'Causes'), causeList(reconcile.causes, app, reconcile.causesDropped),
      h('h3', null, 'Writes'),
      reconcile.writes.length === 0
        ? h('p', {class: 'muted'}, 'None that changed an object.')
        : h('ul', {class: 'writes'}, reconcile.writes.map(writeEntry),
          (reconcile.writesDropped ?? 0) > 0 &&
            h('li', {class: 'muted'}, `and ${plural(reconcile.writesDropped ?? 0, 'more write')}`)),
      reconcile.spans && [
        h('h3', null, 'Requests and other spans'),
        h('ul', {class: 'spans'}, reconcile.spans.map(spanEntry),
          (reconcile.spansDropped ?? 0) > 0 &&
            h('li', {class: 'muted'}, `and ${plural(reconcile.spansDropped ?? 0, 'more span')}`)),
      ]);
  }
}

/** @param {Api.Span} span @param {number} n */
const spanEntry = (span, n) => h('li', {key: n}, h('code', null, span.name), ' ', duration(span.seconds), ' ',
  h('span', {class: 'muted'}, `after ${duration(span.afterSeconds)}`), ' ', span.error && state('bad', span.error));

/**
 * A field of a filter.
 * @param {string} id
 * @param {string} label
 * @param {Content} control
 */
export const field = (id, label, control) => h('div', {class: 'field'}, h('label', {for: id}, label), control);

/**
 * @param {string} id
 * @param {string} value
 * @param {(value: string) => void} onChange
 * @param {string} label
 */
export const searchField = (id, value, onChange, label) => field(id, label, h('input', {
  id, type: 'search', value, autocomplete: 'off', spellcheck: 'false',
  oninput: (/** @type {Event} */ event) => onChange(/** @type {HTMLInputElement} */ (event.target).value),
}));

/**
 * @param {string} id
 * @param {string} label
 * @param {string} value
 * @param {[string, string][]} options value and text
 * @param {(value: string) => void} onChange
 */
export const choice = (id, label, value, options, onChange) => field(id, label, h('select', {
  id, value, onchange: (/** @type {Event} */ event) => onChange(/** @type {HTMLSelectElement} */ (event.target).value),
}, options.map(([option, text]) => h('option', {key: option, value: option}, text))));

/**
 * @param {string} id
 * @param {boolean} isHeld
 * @param {(isHeld: boolean) => void} onChange
 */
export const holdBox = (id, isHeld, onChange) => h('div', {class: 'field check'}, h('input', {
  id, type: 'checkbox', checked: isHeld,
  onchange: (/** @type {Event} */ event) => onChange(/** @type {HTMLInputElement} */ (event.target).checked),
}), h('label', {for: id}, 'Hold the list'));

/**
 * The line below a list that shows a part, with a button for more.
 * @param {number} shown
 * @param {number} matching
 * @param {number} limit
 * @param {string} noun
 * @param {(limit: number) => void} onMore
 */
export function moreLine(shown, matching, limit, noun, onMore) {
  if (shown >= matching) return null;
  return h('p', {class: 'more'}, `The first ${count(shown)} of ${plural(matching, noun)}. `,
    limit < maxItems
      ? h('button', {type: 'button', onclick: () => onMore(maxItems)}, `Show ${count(Math.min(maxItems, matching))}`)
      : 'The operator lists no more; search to find others.');
}

/** The largest value of the parameter `limit`. */
export const maxItems = 1000;
