// SPDX-License-Identifier: Apache-2.0
// The view of one controller: its values and its objects.
// @ts-check

import {Resource} from './app.js';
import {controllerPath} from './client.js';
import {h, RowWindow} from './dom.js';
import {count} from './format.js';
import {controllerFacts, nextReconcile, objectStates} from './overview.js';
import {
  address, at, choice, failure, holdBox, loading, moreLine, objectLink, searchField, state, table, when, heading,
} from './parts.js';

/**
 * @param {import('./app.js').App} app
 * @param {string} name
 * @param {URLSearchParams} parameters
 * @returns {import('./app.js').View}
 */
export function controllerView(app, name, parameters) {
  const rows = new RowWindow();
  const filter = {state: '', search: '', limit: 100};
  let isHeld = false;
  /** @type {Api.Objects | null} */
  let shown = null;
  /** @type {Resource<Api.Objects>} */
  const objects = new Resource(app, () => ({path: controllerPath(name, 'objects'), parameters: filter}), {
    onData: (data) => {
      if (!isHeld) shown = data;
    },
  });

  const change = (/** @type {Partial<typeof filter>} */ values) => {
    Object.assign(filter, values);
    history.replaceState(null, '', address(`controllers/${encodeURIComponent(name)}`,
      {state: filter.state, search: filter.search}));
    isHeld = false;
    objects.refresh();
    app.invalidate();
  };
  const navigate = (/** @type {URLSearchParams} */ next) => {
    filter.state = next.get('state') ?? '';
    filter.search = next.get('search') ?? '';
    return true;
  };
  navigate(parameters);

  /** @returns {import('./parts.js').Column<Api.ObjectSummary>[]} */
  const columns = () => [
    {title: 'Object', cell: ({key}) => objectLink(name, key)},
    {title: 'State', cell: objectStates},
    {title: 'Reason', class: 'wide', cell: ({reason, message}) => [reason, message].filter(Boolean).join(': ') || '–'},
    {title: 'Next reconcile', cell: (object) => nextReconcile(app, object)},
  ];

  return {
    title: `Controller ${name}`,
    resources: [objects],
    rows,
    navigate(next) {
      navigate(next);
      objects.refresh();
      return true;
    },
    event(event, data) {
      if (event === 'reconcile' && data.controller === name) objects.touch();
    },
    render() {
      const controller = app.controllers.find((item) => item.name === name);
      const title = heading(h('span', {class: 'muted'}, 'Controller '), name);
      if (!controller && app.controllerList.data) {
        return [title, h('p', {class: 'problem'}, state('bad', `This operator has no controller ${name}.`))];
      }
      const last = controller?.lastError;
      return [
        title,
        controller ? controllerFacts(app, controller) : failure(app.controllerList, 'The controller') ?? loading(),
        last && h('p', {class: 'problem', key: 'last'}, state('bad', 'Last error'), ' ', at(app, last.at), ' (',
          when(app, last.at), ') of ', objectLink(name, last.key), ': ', last.message),
        h('p', {class: 'links', key: 'links'},
          h('a', {href: address('queue', {controller: name})}, 'Queue of this controller'), ' ',
          h('a', {href: address('reconciles', {controller: name})}, 'Reconciles of this controller')),
        h('section', {'aria-labelledby': 'objects', key: 'objects'},
          h('h2', {id: 'objects'}, 'Objects',
            shown && h('span', {class: 'muted'}, ` ${count(shown.total)}, not ready ${count(shown.notReady)}`)),
          h('div', {class: 'filter', role: 'search', 'aria-label': 'Objects'},
            searchField('objectSearch', filter.search, (search) => change({search}), 'Key contains'),
            choice('objectState', 'Show', filter.state,
              [['', 'all objects'], ['notReady', 'failing or not ready']], (value) => change({state: value})),
            holdBox('objectHold', isHeld, (value) => {
              isHeld = value;
              if (!value) objects.refresh();
            })),
          failure(objects, 'The list of objects'),
          shown === null ? !objects.error && loading()
            : shown.items.length === 0 ? h('p', {class: 'muted'}, 'No object matches.')
              : table({label: 'Objects', columns: columns(), items: shown.items, key: ({key}) => key, rows}),
          shown && moreLine(shown.items.length, shown.matching, filter.limit, 'object', (limit) => change({limit}))),
      ];
    },
  };
}
