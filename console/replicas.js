// SPDX-License-Identifier: Apache-2.0
// The instances of the operator, in the first view.
// @ts-check

import {Resource} from './app.js';
import {h} from './dom.js';
import {count} from './format.js';
import {failure, pagesAddress, state, table, when} from './parts.js';

/** @typedef {import('./app.js').App} App */

export class Replicas {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Resource<Api.Replicas>} */
    this.list = new Resource(app, () => ({path: 'replicas'}), {soonest: 5});
  }

  /** False for an operator that runs without leader election, or not in a pod. */
  get exist() {
    return Boolean(this.app.operator.data?.election) && this.list.error?.status !== 404;
  }

  render() {
    const {app, list} = this;
    if (!this.exist || (!list.data && !list.error)) return null;
    const items = list.data?.items ?? [];
    return h('section', {'aria-labelledby': 'replicas', key: 'replicas'},
      h('h2', {id: 'replicas'}, 'Replicas', list.data && h('span', {class: 'muted'}, ` ${count(items.length)}`)),
      failure(list, 'The list of replicas'),
      list.data && table({
        label: 'Replicas',
        items,
        key: ({name}) => name,
        columns: [
          {title: 'Replica', cell: nameOf},
          {title: 'Role', cell: ({leading}) => leading ? state('good', 'leads') : state('calm', 'stands by')},
          {title: 'State', cell: ({ready, deleting}) => deleting ? state('warn', 'deleting')
            : ready ? state('good', 'ready') : state('bad', 'not ready')},
          {title: 'Node', cell: ({node}) => node ?? '–'},
          {title: 'Started', cell: ({startedAt}) => startedAt ? when(app, startedAt) : '–'},
        ],
      }));
  }
}

/** @param {Api.Replica} replica */
function nameOf({name, pages, thisInstance}) {
  if (thisInstance) return [name, h('span', {class: 'muted'}, ' this instance')];
  const address = pagesAddress(pages);
  return address ? h('a', {href: address}, name) : name;
}
