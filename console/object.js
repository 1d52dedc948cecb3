// SPDX-License-Identifier: Apache-2.0
// The view of one object: why it is not ready, what happens next, and what happened before.
// @ts-check

import {ApiError, controllerPath} from './client.js';
import {Resource} from './app.js';
import {h} from './dom.js';
import {clock, count, kindName, longDuration, plural} from './format.js';
import {
  at, causeList, controllerAddress, facts, failure, loading, objectAddress, readiness, ReconcileList, state, table,
  when, whenExactly, heading,
} from './parts.js';

/** @typedef {import('./app.js').App} App */

/** Children that are listed before "Show all". */
const fewChildren = 30;

/** An object below a child, which the user has opened. @typedef {{data: Api.Object | null, error: string}} Branch */

/**
 * @param {App} app
 * @param {string} controller
 * @param {string} key
 * @returns {import('./app.js').View}
 */
export function objectView(app, controller, key) {
  /** @type {Resource<Api.Object>} */
  const resource = new Resource(app, () => ({path: controllerPath(controller, 'object'), parameters: {key}}),
    {soonest: 1, latest: 5});
  const reconciles = new ReconcileList(app, true);
  /** @type {Map<string, Branch>} */
  const branches = new Map();
  let areAllChildrenShown = false;
  let isBusy = false;
  /** @type {{isGood: boolean, text: string} | null} */
  let result = null;

  /**
   * @param {string} action
   * @param {Record<string, string | boolean>} parameters
   * @param {string} success
   */
  async function act(action, parameters, success) {
    if (isBusy) return;
    isBusy = true;
    result = null;
    app.invalidate();
    try {
      await app.client.post(controllerPath(controller, action), {key, ...parameters});
      result = {isGood: true, text: success};
    } catch (error) {
      const text = error instanceof ApiError ? error.message : String(error);
      result = {isGood: false, text: `The request failed. ${text}`};
    }
    isBusy = false;
    await resource.refresh();
    app.invalidate();
  }

  /** @param {string} id @param {string} owner @param {string} name */
  async function openBranch(id, owner, name) {
    /** @type {Branch} */
    const branch = {data: null, error: ''};
    branches.set(id, branch);
    app.invalidate();
    try {
      branch.data = await app.client.get(controllerPath(owner, 'object'), {key: name});
    } catch (error) {
      branch.error = error instanceof ApiError ? error.message : String(error);
    }
    app.invalidate();
  }

  /** @param {Api.Object} data */
  function buttons(data) {
    return h('div', {class: 'actions', key: 'actions'},
      h('button', {type: 'button', 'aria-disabled': isBusy ? 'true' : undefined, key: 'reconcile',
        onclick: () => act('reconcile', {}, 'Queued: the object is reconciled as soon as a worker is free.')},
      'Reconcile now'),
      data.exists && h('button', {type: 'button', 'aria-disabled': isBusy ? 'true' : undefined, key: 'pause',
        onclick: () => data.paused
          ? act('pause', {paused: false}, 'Resumed: the annotation pintle.dev/paused is removed.')
          : act('pause', {paused: true}, 'Paused: the annotation pintle.dev/paused is set, and the controller does ' +
            'not reconcile the object until it is resumed.')},
      data.paused ? 'Resume' : 'Pause'),
      h('p', {role: 'status', class: 'result', key: 'result'},
        isBusy ? 'The request is under way.' : result && state(result.isGood ? 'good' : 'bad', result.text)));
  }

  /** @param {Api.Related} related @param {string} role @param {string} path @returns {import('./dom.js').Content} */
  function relatedEntry(related, role, path) {
    const id = `${path}/${kindName(related.kind)} ${related.key}`;
    const branch = branches.get(id);
    const owner = related.controller;
    return h('li', {key: id}, h('div', {class: 'node'},
      h('span', {class: 'role'}, role), ' ',
      h('span', {class: 'kind', title: kindName(related.kind)}, related.kind.kind), ' ',
      owner ? h('a', {class: 'key', href: objectAddress(owner, related.key)}, related.key)
        : h('span', {class: 'key'}, related.key), ' ',
      readiness(related.readiness), ' ',
      [related.reason, related.message].filter(Boolean).join(': '),
      owner && role === 'child' && h('button', {type: 'button', class: 'small',
        'aria-expanded': branch ? 'true' : 'false',
        'aria-label': `Children of ${related.key}`,
        onclick: () => {
          if (!branches.delete(id)) openBranch(id, owner, related.key);
          app.invalidate();
        }}, branch ? 'hide children' : 'children')),
    branch && (branch.error ? h('p', {class: 'problem', role: 'alert'}, state('bad', branch.error))
      : !branch.data ? loading()
        : branch.data.children.length === 0 ? h('p', {class: 'muted'}, 'no children')
          : h('ul', null, branch.data.children.map((child) => relatedEntry(child, 'child', id)))));
  }

  /** @param {Api.Object} data */
  function graph(data) {
    const order = ['missing', 'notReady', 'unknown', 'ready'];
    const children = [...data.children].sort((a, b) => order.indexOf(a.readiness) - order.indexOf(b.readiness));
    const shown = areAllChildrenShown ? children : children.slice(0, fewChildren);
    const self = h('li', {key: 'self'}, h('div', {class: 'node', 'aria-current': 'true'},
      h('span', {class: 'role'}, 'this'), ' ',
      h('span', {class: 'kind'}, data.kind.kind), ' ', h('span', {class: 'key'}, data.key), ' ',
      data.exists ? readiness(data.readiness) : state('bad', 'does not exist')),
    children.length === 0 ? h('p', {class: 'muted'}, 'no children that the operator knows of')
      : h('ul', null, shown.map((child) => relatedEntry(child, 'child', ''))),
    shown.length < children.length && h('button', {type: 'button', class: 'small', onclick: () => {
      areAllChildrenShown = true;
      app.invalidate();
    }}, `Show all ${count(children.length)} children`));
    return h('ul', {class: 'tree'}, data.owners.length === 0 ? self
      : data.owners.map((owner, index) => {
        const entry = /** @type {import('./dom.js').Vnode} */ (relatedEntry(owner, 'owner', 'owner'));
        if (index + 1 === data.owners.length) entry.children.push(h('ul', {key: 'below'}, self));
        return entry;
      }));
  }

  /** @param {Api.QueueEntry | undefined} entry */
  function queueEntry(entry) {
    if (!entry) return h('p', {class: 'muted'}, 'The object is not in the queue.');
    return [
      facts(
        ['State', entry.state === 'working' ? 'is being reconciled'
          : entry.state === 'waiting' ? 'waits for a worker' : 'is due later'],
        entry.since !== undefined && ['Working since', whenExactly(app, entry.since)],
        entry.due !== undefined && [entry.state === 'working' ? 'Due again' : 'Due', whenExactly(app, entry.due)],
        entry.overdueSeconds !== undefined && ['Beyond its timeout', state('bad', longDuration(entry.overdueSeconds))],
        ['Failures in a row', count(entry.failures)],
        ['Priority', String(entry.priority)]),
      h('h3', null, 'Causes'),
      entry.causes.length === 0 ? h('p', {class: 'muted'}, 'none recorded') : causeList(entry.causes, app),
    ];
  }

  /** @param {Api.Object} data */
  function content(data) {
    return [
      h('p', {class: 'states', key: 'states'},
        data.exists ? [readiness(data.readiness), ' '] : [state('bad', 'does not exist'), ' '],
        data.paused && [state('warn', 'paused'), ' '],
        data.deletingSince && [state('warn', `deleting since ${clock(data.deletingSince, app.now())}`), ' '],
        data.queue && data.queue.failures > 0 && state('bad', `failed ${plural(data.queue.failures, 'time')}`)),
      h('dl', {class: 'answer', key: 'answer'},
        h('div', null, h('dt', null, 'Why'), h('dd', {id: 'why'}, data.why ?? 'The operator knows of no problem.')),
        h('div', null, h('dt', null, 'Next'), h('dd', {id: 'next'}, data.next))),
      buttons(data),
      h('div', {class: 'columns', key: 'columns'},
        h('div', {class: 'column'},
          section('conditions', 'Conditions', data.conditions.length === 0
            ? h('p', {class: 'muted'}, 'The status has no conditions.')
            : table({
              label: 'Conditions',
              items: data.conditions,
              key: ({type}) => type,
              columns: [
                {title: 'Type', cell: ({type}) => type},
                {title: 'Status', cell: ({status}) => status},
                {title: 'Reason', class: 'wide', cell: ({reason, message}) => [reason,
                  reason && message ? ': ' : '', message]},
                {title: 'Since', cell: ({lastTransitionTime}) =>
                  lastTransitionTime ? when(app, lastTransitionTime) : '–'},
              ],
            })),
          section('reconciles', 'Reconciles, newest first', reconciles.render(data.reconciles))),
        h('div', {class: 'column'},
          section('related', 'Owners and children', graph(data)),
          section('queue', 'Queue entry', queueEntry(data.queue)),
          section('events', 'Events, newest first', data.events.length === 0
            ? h('p', {class: 'muted'}, 'This operator recorded none.')
            : table({
              label: 'Events',
              items: data.events,
              key: (event) => `${event.at} ${event.reason} ${event.message}`,
              columns: [
                {title: 'Time', cell: (event) => at(app, event.at)},
                {title: 'Type', cell: ({type}) => state(type === 'Warning' ? 'warn' : 'calm', type)},
                {title: 'Event', class: 'wide', cell: (event) => [h('strong', null, event.reason), ` ${event.message}`,
                  (event.count ?? 1) > 1 && h('span', {class: 'muted'}, ` ${count(event.count ?? 1)} times`)]},
              ],
            })),
          section('metadata', 'Metadata', facts(
            ['Kind', kindName(data.kind)],
            data.uid !== undefined && ['UID', h('code', null, data.uid)],
            data.createdAt !== undefined && ['Created', whenExactly(app, data.createdAt)],
            data.deletingSince !== undefined && ['Deleting since', whenExactly(app, data.deletingSince)],
            ['Finalizers', data.finalizers.length === 0 ? 'none'
              : h('ul', null, data.finalizers.map((name) => h('li', {key: name}, h('code', null, name))))],
            data.generation !== undefined && ['Generation', String(data.generation)],
            data.observedGeneration !== undefined && ['Observed generation',
              data.observedGeneration === data.generation ? String(data.observedGeneration)
                : state('warn', String(data.observedGeneration))],
          )))),
    ];
  }

  return {
    title: `${key} of ${controller}`,
    resources: [resource],
    event(name, data) {
      if (name === 'reconcile' && data.controller === controller && data.key === key) resource.touch();
    },
    navigate: (next) => next.get('key') === key,
    render() {
      const {data} = resource;
      return [
        h('p', {class: 'trail', key: 'trail'}, 'Controller ',
          h('a', {href: controllerAddress(controller)}, controller)),
        heading(data && h('span', {class: 'muted'}, `${data.kind.kind} `), h('span', {class: 'key'}, key)),
        failure(resource, 'The object'),
        data ? content(data) : !resource.error && loading(),
      ];
    },
  };
}

/** @param {string} id @param {string} title @param {import('./dom.js').Content} content */
const section = (id, title, content) =>
  h('section', {'aria-labelledby': id, key: id}, h('h2', {id}, title), content);
