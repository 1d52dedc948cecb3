// SPDX-License-Identifier: Apache-2.0
// The view of the log: the last lines, live, and the level of the operator.
// @ts-check

import {ApiError} from './client.js';
import {Resource} from './app.js';
import {h} from './dom.js';
import {count, plural} from './format.js';
import {address, at, choice, failure, holdBox, loading, maxItems, searchField, state, heading} from './parts.js';

const levels = ['debug', 'info', 'warning', 'error'];

/** @param {import('./app.js').App} app @param {URLSearchParams} parameters @returns {import('./app.js').View} */
export function logView(app, parameters) {
  const filter = {level: '', search: '', limit: 200};
  /** The newest last. @type {Api.LogLine[]} */
  let lines = [];
  /** @type {Api.LogLine[] | null} */
  let held = null;
  let wanted = '';
  /** @type {{isGood: boolean, text: string} | null} */
  let result = null;
  const gapsBefore = app.gaps;
  /** @type {Resource<Api.Log>} */
  const log = new Resource(app, () => ({path: 'log', parameters: filter}), {
    latest: 60,
    onData: ({items}) => {
      lines = items;
    },
  });
  const apply = (/** @type {URLSearchParams} */ next) => {
    Object.assign(filter, {level: next.get('level') ?? '', search: next.get('search') ?? ''});
  };
  apply(parameters);
  const change = (/** @type {Partial<typeof filter>} */ values) => {
    Object.assign(filter, values);
    history.replaceState(null, '', address('log', {level: filter.level, search: filter.search}));
    held = null;
    log.refresh();
    app.invalidate();
  };
  const matches = (/** @type {Api.LogLine} */ line) => levels.indexOf(line.level) >= levels.indexOf(filter.level)
    && (!filter.search || `${line.message} ${JSON.stringify(line.fields)}`.includes(filter.search));

  async function setLevel() {
    const level = wanted || app.operator.data?.logLevel || 'info';
    try {
      await app.client.post('log-level', {level});
      result = {isGood: true, text: `The operator logs at level ${level} until its process ends.`};
    } catch (error) {
      result = {isGood: false, text: `The request failed. ${error instanceof ApiError ? error.message : error}`};
    }
    await app.operator.refresh();
    app.invalidate();
  }

  /** @type {WeakMap<Api.LogLine, import('./dom.js').Vnode>} */
  const entries = new WeakMap();
  /** @param {Api.LogLine} line */
  const entry = (line) => {
    const known = entries.get(line) ?? newEntry(line);
    entries.set(line, known);
    return known;
  };
  /** @param {Api.LogLine} line */
  const newEntry = (line) => h('li', {key: line.id, class: line.level},
    h('span', {class: 'time'}, at(app, line.time)), ' ',
    line.level === 'error' ? state('bad', 'error') : line.level === 'warning' ? state('warn', 'warning')
      : h('span', {class: 'state calm'}, line.level), ' ',
    h('span', {class: 'message'}, line.message),
    Object.entries(line.fields).map(([name, value]) => h('span', {class: 'pair', key: name}, ' ',
      h('span', {class: 'muted'}, `${name}=`), String(value))));

  return {
    title: 'Log',
    resources: [log],
    navigate(next) {
      apply(next);
      log.refresh();
      return true;
    },
    event(name, data) {
      if (name === 'gap') log.touch();
      if (name !== 'log' || !log.data || !matches(data)) return;
      if (lines.length > 0 && data.id <= lines[lines.length - 1].id) return;
      lines = [...lines.slice(-(filter.limit - 1)), data];
    },
    render() {
      const shown = held ?? lines;
      const newest = shown.length > 0 ? shown[shown.length - 1].id : -1;
      const newer = held ? lines.filter(({id}) => id > newest).length : 0;
      const level = app.operator.data?.logLevel;
      const gaps = app.gaps - gapsBefore;
      return [
        heading('Log', h('span', {class: 'muted'}, ' newest first')),
        h('div', {class: 'filter', role: 'search', 'aria-label': 'Log', key: 'filter'},
          choice('logLevel', 'At least level', filter.level || 'debug', levels.map((name) => [name, name]),
            (value) => change({level: value === 'debug' ? '' : value})),
          searchField('logSearch', filter.search, (search) => change({search}), 'Line contains'),
          holdBox('logHold', held !== null, (value) => {
            held = value ? lines : null;
            app.invalidate();
          }),
          h('form', {class: 'level', onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            setLevel();
          }},
          level && choice('operatorLevel', 'Level of the operator', wanted || level,
            [...levels, 'off'].map((name) => [name, name]), (value) => {
              wanted = value;
              app.invalidate();
            }),
          h('button', {type: 'submit'}, 'Set level'))),
        h('p', {role: 'status', class: 'result', key: 'result'},
          result && state(result.isGood ? 'good' : 'bad', result.text)),
        gaps > 0 && h('p', {class: 'muted', key: 'gaps'},
          `${plural(gaps, 'event')} left out, because more occurred than the stream carries.`),
        newer > 0 && h('p', {class: 'held', key: 'newer'}, `The list is held; ${count(newer)} newer.`),
        failure(log, 'The log'),
        !log.data ? !log.error && loading()
          : shown.length === 0 ? h('p', {class: 'muted'}, 'No line matches.')
            : h('ol', {class: 'log', 'aria-label': 'Log lines', key: 'lines'}, [...shown].reverse().map(entry)),
        log.data && filter.limit < maxItems && shown.length >= filter.limit &&
          h('p', {class: 'more', key: 'more'}, h('button', {type: 'button', onclick: () => change({limit: maxItems})},
            `Show up to ${count(maxItems)} lines`)),
      ];
    },
  };
}
