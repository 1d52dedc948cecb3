// SPDX-License-Identifier: Apache-2.0
// The first view: the operator, the objects that need attention, and the controllers.
// @ts-check

import {Resource} from './app.js';
import {controllerPath} from './client.js';
import {h} from './dom.js';
import {bytes, count, duration, kindName, longDuration, plural, rate} from './format.js';
import {
  controllerAddress, due, facts, failure, heading, kind, loading, objectLink, readiness, state, table, when,
  whenExactly,
} from './parts.js';
import {Replicas} from './replicas.js';

/** @typedef {import('./app.js').App} App */

/** Objects of one controller in the list. */
const perController = 10;
/** Objects whose reason is read from their own page of the API. */
const maxReasons = 12;

/** @typedef {{controller: string, object: Api.ObjectSummary}} Candidate */

/** The objects that are not ready or fail, of all controllers. */
class Attention {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Map<string, Resource<Api.Objects>>} */
    this.lists = new Map();
    /** The sentence `why` of an object, for one state of it. @type {Map<string, {state: string, why: string}>} */
    this.reasons = new Map();
  }

  /** Creates the list of each new controller. */
  update() {
    for (const {name} of this.app.controllers) {
      if (this.lists.has(name)) continue;
      const list = new Resource(this.app, () => ({
        path: controllerPath(name, 'objects'), parameters: {state: 'notReady', limit: perController},
      }), {soonest: 3, latest: 10, onData: () => this.readReasons()});
      this.lists.set(name, list);
      list.refresh();
    }
  }

  /** @returns {Candidate[]} those that are not ready and fail most often first */
  candidates() {
    const all = [...this.lists].flatMap(([controller, list]) =>
      (list.data?.items ?? []).map((object) => ({controller, object})));
    const rank = (/** @type {Candidate} */ {object}) => object.readiness === 'notReady' ? 0 : 1;
    return all.sort((a, b) => rank(a) - rank(b) || b.object.failures - a.object.failures
      || a.controller.localeCompare(b.controller) || a.object.key.localeCompare(b.object.key));
  }

  async readReasons() {
    const first = this.candidates().slice(0, maxReasons);
    const ids = new Set(first.map(idOf));
    for (const id of this.reasons.keys()) if (!ids.has(id)) this.reasons.delete(id);
    const missing = first.filter((candidate) => this.reasons.get(idOf(candidate))?.state !== stateOf(candidate));
    await Promise.all(missing.map(async (candidate) => {
      const id = idOf(candidate);
      const entry = {state: stateOf(candidate), why: this.reasons.get(id)?.why ?? ''};
      this.reasons.set(id, entry);
      try {
        entry.why = (await this.app.client.get(controllerPath(candidate.controller, 'object'),
          {key: candidate.object.key})).why ?? '';
      } catch {
        this.reasons.delete(id);  // The list shows the condition instead.
      }
    }));
    this.app.invalidate(true);
  }

  /** @param {Candidate} candidate */
  why(candidate) {
    const {object} = candidate;
    const why = this.reasons.get(idOf(candidate))?.why || object.error;
    if (why) return why;
    const condition = object.readiness === 'notReady' && [object.reason, object.message].filter(Boolean).join(': ');
    return condition || (object.failures > 0 ? 'The last reconciles failed.' : 'The condition Ready has no reason.');
  }

  render() {
    const {app} = this;
    const candidates = this.candidates();
    const total = [...this.lists.values()].reduce((sum, list) => sum + (list.data?.matching ?? 0), 0);
    const isLoaded = app.controllerList.data !== null
      && [...this.lists.values()].every(({data, error}) => data || error);
    return h('section', {'aria-labelledby': 'attention', key: 'attention'},
      h('h2', {id: 'attention'}, 'Needs attention', isLoaded && h('span', {class: 'muted'}, ` ${count(total)}`)),
      [...this.lists].map(([name, list]) => list.error && h('div', {key: name}, failure(list, `The list of ${name}`))),
      !isLoaded && candidates.length === 0 ? !app.controllerList.error && loading()
        : candidates.length === 0 ? h('p', null, state('good', 'No object is failing or not ready.'))
          : table({
            label: 'Objects that need attention',
            class: 'attention',
            items: candidates,
            key: idOf,
            columns: [
              {title: 'Object', cell: ({controller, object}) => [objectLink(controller, object.key),
                h('span', {class: 'muted'}, ` ${controller}`)]},
              {title: 'State', cell: ({object}) => objectStates(object)},
              {title: 'Why', class: 'wide', cell: (candidate) => this.why(candidate)},
              {title: 'Next reconcile', cell: ({object}) => nextReconcile(app, object)},
            ],
          }),
      [...this.lists].map(([name, {data}]) => data && data.matching > data.items.length && h('p', {key: name},
        `${count(data.matching - data.items.length)} more of `,
        h('a', {href: `${controllerAddress(name)}?state=notReady`}, `controller ${name}`))));
  }
}

/** @param {Candidate} candidate */
const idOf = ({controller, object}) => `${controller} ${object.key}`;

/** @param {Candidate} candidate */
const stateOf = ({object}) =>
  JSON.stringify([object.readiness, object.reason, object.message, object.failures, object.paused, object.deleting]);

/** @param {App} app @param {Api.ObjectSummary} object */
export function nextReconcile(app, object) {
  if (object.paused) return 'when resumed';
  return object.due ? due(app, object.due) : 'at the next change';
}

/** @param {Api.ObjectSummary} object */
export function objectStates(object) {
  return h('span', {class: 'states'},
    (object.readiness !== 'unknown' || object.failures === 0) && readiness(object.readiness), ' ',
    object.failures > 0 && state('bad', `failed ${plural(object.failures, 'time')}`), ' ',
    object.deleting && state('warn', 'deleting'), ' ',
    object.paused && state('warn', 'paused'));
}

/** @param {App} app @returns {import('./app.js').View} */
export function overview(app) {
  const attention = new Attention(app);
  const replicas = new Replicas(app);
  return {
    title: 'Overview',
    get resources() {
      return [...(replicas.exist ? [replicas.list] : []), ...attention.lists.values()];
    },
    event(name, data) {
      if (name === 'reconcile') attention.lists.get(data.controller)?.touch();
    },
    render() {
      attention.update();
      return [about(app), attention.render(), controllers(app), replicas.render()];
    },
  };
}

/** @param {App} app */
function about(app) {
  const {data} = app.operator;
  const title = heading(h('span', {class: 'muted'}, 'Operator '), data?.name);
  if (!data) return [title, failure(app.operator, 'The state of the operator') ?? loading()];
  const {election} = data;
  return [
    title,
    failure(app.operator, 'The state of the operator'),
    data.problems.length > 0 && h('ul', {class: 'problems', 'aria-label': 'Problems', key: 'problems'},
      data.problems.map((problem) => h('li', {key: problem}, state('bad', problem)))),
    facts(
      ['Instance', data.instance ?? 'unknown'],
      ['Leader', !election ? 'without leader election' : [
        election.leading ? 'this instance' : election.leader ?? 'none', ' ',
        h('span', {class: 'muted'}, `by lease ${election.lease}`, election.renewedAt && [', renewed ',
          when(app, election.renewedAt)])]],
      ['Version', `${data.version} (pintle ${data.pintleVersion})`],
      ['Started', whenExactly(app, data.startedAt)],
      ['Memory', `${bytes(data.memoryBytes)}, of it history ${bytes(data.history.bytes)}`],
      ['Recorded reconciles', `${count(data.history.records)} of at most ${count(data.history.limit)}`],
    ),
  ];
}

/** @param {App} app */
function controllers(app) {
  /** @type {(n: number) => import('./dom.js').Content} */
  const number = (n) => n === 0 ? h('span', {class: 'muted'}, '0') : count(n);
  return h('section', {'aria-labelledby': 'controllers', key: 'controllers'},
    h('h2', {id: 'controllers'}, 'Controllers'),
    failure(app.controllerList, 'The list of controllers'),
    !app.controllerList.data ? !app.controllerList.error && loading() : table({
      label: 'Controllers',
      class: 'numbers',
      items: app.controllers,
      key: ({name}) => name,
      columns: [
        {title: 'Controller', cell: (item) => [h('a', {href: controllerAddress(item.name)}, item.name),
          item.cluster && h('span', {class: 'muted'}, ` in ${item.cluster}`)]},
        {title: 'Kind', cell: (item) => kind(item.kind)},
        {title: 'Objects', class: 'number', cell: (item) => number(item.objects)},
        {title: 'Working', class: 'number', cell: (item) => `${count(item.working)} of ${count(item.workers)}`},
        {title: 'Waiting', class: 'number', cell: (item) => number(item.waiting)},
        {title: 'Delayed', class: 'number', cell: (item) => number(item.delayed)},
        {title: 'Reconciles/s', class: 'number', cell: (item) => rate(app.rates.of(item.name).all)},
        {title: 'Errors/s', class: 'number', cell: (item) => errorRate(app, item.name)},
        {title: 'Last error', class: 'wide', cell: (item) => item.lastError ? [when(app, item.lastError.at), ': ',
          objectLink(item.name, item.lastError.key)] : h('span', {class: 'muted'}, 'none')},
      ],
    }));
}

/** @param {App} app @param {string} name */
export function errorRate(app, name) {
  const {errors} = app.rates.of(name);
  return errors ? state('bad', rate(errors)) : rate(errors);
}

/** The values of a controller, for its own page. @param {App} app @param {Api.Controller} item */
export function controllerFacts(app, item) {
  const {reconciles, handlers} = item;
  const {all} = app.rates.of(item.name);
  return facts(
    ['Kind', kindName(item.kind)],
    item.cluster !== '' && ['Cluster', item.cluster],
    ['Objects', count(item.objects)],
    ['Working', `${count(item.working)} of ${plural(item.workers, 'worker')}`],
    ['Waiting for a worker', count(item.waiting)],
    ['Delayed', count(item.delayed)],
    ['Reconciles/s', rate(all)],
    ['Errors/s', errorRate(app, item.name)],
    ['Since the start', `${count(reconciles.success)} success, ${count(reconciles.requeue)} requeue, ` +
      `${count(reconciles.requeueAfter)} requeue after, ${count(reconciles.error)} error`],
    ['Changes before handlers', handlers.waitingChanges === 0 ? 'none wait'
      : `${count(handlers.waitingChanges)} wait, the oldest for ${
        handlers.behindSeconds < 10 ? duration(handlers.behindSeconds) : longDuration(handlers.behindSeconds)}`],
  );
}
