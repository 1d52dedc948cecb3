// SPDX-License-Identifier: Apache-2.0
// The views of the queue of a controller and of the last reconciles.
// @ts-check

import {Resource} from './app.js';
import {controllerPath} from './client.js';
import {h, RowWindow} from './dom.js';
import {count, longDuration, plural} from './format.js';
import {
  address, causesInShort, choice, failure, holdBox, loading, moreLine, objectLink, ReconcileList, searchField, state,
  table, when, heading, due,
} from './parts.js';

/** @typedef {import('./app.js').App} App */

/** @param {App} app @returns {[string, string][]} */
const controllerChoices = (app) => app.controllers.map(({name}) => [name, name]);

/** @param {App} app @param {URLSearchParams} parameters @returns {import('./app.js').View} */
export function queueView(app, parameters) {
  const rows = new RowWindow();
  const filter = {controller: '', state: '', search: '', limit: 100};
  let isHeld = false;
  /** @type {Api.Queue | null} */
  let shown = null;
  /** @type {Resource<Api.Queue>} */
  const queue = new Resource(app, () => ({
    path: controllerPath(filter.controller, 'queue'),
    parameters: {state: filter.state, search: filter.search, limit: filter.limit},
  }), {
    latest: 10,
    onData: (data) => {
      if (!isHeld) shown = data;
    },
  });
  const apply = (/** @type {URLSearchParams} */ next) => {
    const controller = next.get('controller') ?? '';
    if (controller !== filter.controller) shown = null;
    Object.assign(filter, {controller, state: next.get('state') ?? '', search: next.get('search') ?? ''});
  };
  apply(parameters);
  const change = (/** @type {Partial<typeof filter>} */ values) => {
    if (values.controller !== undefined) {
      shown = null;
      queue.data = null;
    }
    Object.assign(filter, values);
    const {controller, state: only, search} = filter;
    history.replaceState(null, '', address('queue', {controller, state: only, search}));
    isHeld = false;
    queue.refresh();
    app.invalidate();
  };
  /** Without a controller in the address: the one with the longest queue. */
  const chooseController = () => {
    if (filter.controller || app.controllers.length === 0) return;
    const length = (/** @type {Api.Controller} */ item) => item.working + item.waiting + item.delayed;
    change({controller: [...app.controllers].sort((a, b) => length(b) - length(a))[0].name});
  };

  /** @returns {import('./parts.js').Column<Api.QueueEntry>[]} */
  const columns = () => [
    {title: 'Key', cell: ({key}) => objectLink(filter.controller, key)},
    {title: 'State', cell: ({state: is, overdueSeconds}) => [is, overdueSeconds !== undefined && overdueSeconds > 0 &&
      [' ', state('bad', `${longDuration(overdueSeconds)} beyond its timeout`)]]},
    {title: 'Time', cell: (entry) => entry.since ? ['began ', when(app, entry.since)]
      : entry.due ? due(app, entry.due) : '–'},
    {title: 'Failures', class: 'number', cell: ({failures}) => failures > 0 ? state('bad', count(failures)) : '0'},
    {title: 'Priority', class: 'number', cell: ({priority}) => String(priority)},
    {title: 'Causes', class: 'wide', cell: ({causes, key}) => causesInShort(causes, key,
      app.controllers.find(({name}) => name === filter.controller)?.kind)},
  ];

  return {
    title: 'Queue',
    get resources() {
      return filter.controller ? [queue] : [];
    },
    rows,
    navigate(next) {
      apply(next);
      if (filter.controller) queue.refresh();
      return true;
    },
    event(name, data) {
      if (name === 'reconcile' && data.controller === filter.controller) queue.touch();
      if (name === 'controllers' && queue.data) {
        const item = app.controllers.find((controller) => controller.name === filter.controller);
        if (item && item.working + item.waiting + item.delayed !== queue.data.total) queue.touch();
      }
    },
    render() {
      chooseController();
      return [
        heading('Queue',
          shown && h('span', {class: 'muted'}, ` ${plural(shown.total, 'key')}`)),
        h('div', {class: 'filter', role: 'search', 'aria-label': 'Queue', key: 'filter'},
          choice('queueController', 'Controller', filter.controller, controllerChoices(app),
            (controller) => change({controller})),
          choice('queueState', 'State', filter.state,
            [['', 'all'], ['working', 'working'], ['waiting', 'waiting'], ['delayed', 'delayed']],
            (value) => change({state: value})),
          searchField('queueSearch', filter.search, (search) => change({search}), 'Key contains'),
          holdBox('queueHold', isHeld, (value) => {
            isHeld = value;
            if (!value) queue.refresh();
          })),
        h('p', {class: 'muted', key: 'legend'}, 'Working: is being reconciled. Waiting: due, and no worker is free. ' +
          'Delayed: due later.'),
        failure(queue, 'The queue'),
        shown === null ? !queue.error && loading()
          : shown.items.length === 0
            ? h('p', {class: 'muted'}, shown.total === 0 ? 'The queue is empty.' : 'No key matches.')
            : table({
              label: 'Queue', class: 'queue', columns: columns(), items: shown.items, key: ({key}) => key, rows,
            }),
        shown && moreLine(shown.items.length, shown.matching, filter.limit, 'key', (limit) => change({limit})),
      ];
    },
  };
}

/** @param {App} app @param {URLSearchParams} parameters @returns {import('./app.js').View} */
export function reconcilesView(app, parameters) {
  const filter = {controller: '', outcome: '', key: '', limit: 100};
  const list = new ReconcileList(app, false);
  /** @type {Resource<Api.Reconciles>} */
  const reconciles = new Resource(app, () => ({path: 'reconciles', parameters: filter}));
  const apply = (/** @type {URLSearchParams} */ next) => {
    list.release();
    Object.assign(filter, {
      controller: next.get('controller') ?? '', outcome: next.get('outcome') ?? '', key: next.get('key') ?? '',
    });
  };
  apply(parameters);
  const change = (/** @type {Partial<typeof filter>} */ values) => {
    Object.assign(filter, values);
    const {controller, outcome, key} = filter;
    history.replaceState(null, '', address('reconciles', {controller, outcome, key}));
    list.release();
    reconciles.data = null;
    reconciles.refresh();
    app.invalidate();
  };
  const matches = (/** @type {Api.Reconcile} */ item) => (!filter.controller || item.controller === filter.controller)
    && (!filter.outcome || item.outcome === filter.outcome) && (!filter.key || item.key === filter.key);

  return {
    title: 'Reconciles',
    resources: [reconciles],
    navigate(next) {
      apply(next);
      reconciles.refresh();
      return true;
    },
    event(name, data) {
      if (name === 'gap') reconciles.touch();
      const items = reconciles.data?.items;
      if (name !== 'reconcile' || !items || !matches(data)) return;
      // An answer and the stream can contain the same reconcile.
      if (items.length === 0 || data.id > items[0].id) {
        reconciles.data = {items: [data, ...items.slice(0, filter.limit - 1)]};
      } else {
        reconciles.touch();
      }
    },
    render() {
      return [
        heading('Reconciles', h('span', {class: 'muted'}, ' newest first')),
        h('div', {class: 'filter', role: 'search', 'aria-label': 'Reconciles', key: 'filter'},
          choice('reconcileController', 'Controller', filter.controller, [['', 'all'], ...controllerChoices(app)],
            (controller) => change({controller})),
          choice('reconcileOutcome', 'Outcome', filter.outcome, [['', 'all'], ['success', 'success'],
            ['requeue', 'requeue'], ['requeueAfter', 'requeue after'], ['error', 'error']],
          (outcome) => change({outcome})),
          searchField('reconcileKey', filter.key, (key) => change({key}), 'Key (namespace/name)'),
          holdBox('reconcileHold', list.isHeld, (isHeld) => {
            list.isHeld = isHeld;
            app.invalidate();
          })),
        failure(reconciles, 'The list of reconciles'),
        reconciles.data ? list.render(reconciles.data.items) : !reconciles.error && loading(),
      ];
    },
  };
}
