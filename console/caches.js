// SPDX-License-Identifier: Apache-2.0
// The view of the caches: memory, and the time since the server last sent something.
// @ts-check

import {Resource} from './app.js';
import {h} from './dom.js';
import {bytes, count, longDuration, plural} from './format.js';
import {failure, kind, loading, state, table, heading} from './parts.js';

/** A server sends a bookmark each minute; a longer silence means that the cache can be stale. */
const longSilence = 60;

/** @param {import('./app.js').App} app @returns {import('./app.js').View} */
export function cachesView(app) {
  /** @type {Resource<Api.Caches>} */
  const caches = new Resource(app, () => ({path: 'caches'}), {latest: 3});

  /** @param {Api.Cache} cache */
  const cacheState = (cache) => {
    if (cache.state === 'synced') return state('good', 'synced');
    if (cache.state === 'inactive') return state('calm', 'inactive');
    return state(cache.state === 'syncing' ? 'warn' : 'bad', cache.state);
  };

  return {
    title: 'Caches',
    resources: [caches],
    render() {
      const items = caches.data?.items ?? [];
      const total = items.reduce((sum, cache) => sum + cache.bytes, 0);
      return [
        heading('Caches',
          caches.data && h('span', {class: 'muted'}, ` ${count(items.length)}, ${bytes(total)}`)),
        failure(caches, 'The list of caches'),
        !caches.data ? !caches.error && loading()
          : items.length === 0 ? h('p', {class: 'muted'}, 'There are none.')
            : table({
              label: 'Caches',
              items,
              key: ({cluster, title}) => `${cluster} ${title}`,
              columns: [
                {title: 'Cache', cell: (cache) => [h('span', {class: 'key'}, cache.title),
                  cache.cluster && h('span', {class: 'muted'}, ` in ${cache.cluster}`)]},
                {title: 'Kind', cell: (cache) => kind(cache.kind)},
                {title: 'State', cell: cacheState},
                {title: 'Objects', class: 'number', cell: (cache) => count(cache.objects)},
                {title: 'Memory', class: 'number', cell: (cache) => bytes(cache.bytes)},
                {title: 'Server silent for', class: 'number', cell: ({silentSeconds: seconds}) =>
                  seconds === undefined ? '–' : seconds > longSilence ? state('bad', longDuration(seconds))
                    : longDuration(seconds)},
                {title: 'Detail', class: 'wide', cell: (cache) => cache.detail ?? '–'},
              ],
            }),
        h('p', {class: 'muted', key: 'legend'}, `A server sends a bookmark each minute. ${
          plural(longSilence, 'second')} of silence mean that a cache can be stale.`),
      ];
    },
  };
}
