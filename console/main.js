// SPDX-License-Identifier: Apache-2.0
// The start of the page: the header, the navigation and the choice of the view by the fragment of the address.
// @ts-check

import {App} from './app.js';
import {cachesView} from './caches.js';
import {controllerView} from './controller.js';
import {h, patch} from './dom.js';
import {clock, longDuration} from './format.js';
import {queueView, reconcilesView} from './lists.js';
import {logView} from './log.js';
import {objectView} from './object.js';
import {overview} from './overview.js';
import {heading, pagesAddress, state} from './parts.js';

/** @typedef {import('./dom.js').Vnode} Vnode */

const header = /** @type {HTMLElement} */ (document.getElementById('header'));
const main = /** @type {HTMLElement} */ (document.getElementById('main'));
/** @type {{header: Vnode[], main: Vnode[]}} */
const drawn = {header: [], main: []};

const app = new App(draw);
const pages = [
  ['', 'Overview'], ['queue', 'Queue'], ['reconciles', 'Reconciles'], ['caches', 'Caches'], ['log', 'Log'],
];

/** The view that is on the page, the path of its address, and its number, which makes its elements new ones. */
const current = {path: '', number: 0};
/** The scroll position of each address, for the way back. @type {Map<string, number>} */
const scrolled = new Map();
let isFollowingLink = false;
/** The scroll position to set when the view has its data. */
let scrollTo = 0;
let lastAddress = '';

// ---- views ----------------------------------------------------------------------------------------------------------

/** @param {string} path @param {URLSearchParams} parameters @returns {import('./app.js').View} */
function viewOf(path, parameters) {
  const parts = path.split('/').map(decode);
  if (parts[0] === 'controllers' && parts[1]) {
    if (parts[2] === 'object') return objectView(app, parts[1], parameters.get('key') ?? '');
    if (parts.length === 2) return controllerView(app, parts[1], parameters);
  }
  if (path === 'queue') return queueView(app, parameters);
  if (path === 'reconciles') return reconcilesView(app, parameters);
  if (path === 'caches') return cachesView(app);
  if (path === 'log') return logView(app, parameters);
  if (path === '') return overview(app);
  return {
    title: 'No such page',
    resources: [],
    render: () => [heading('No such page'),
      h('p', null, h('a', {href: '#/'}, 'To the overview'))],
  };
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Shows the view of the present address. @param {boolean} isStart */
function navigate(isStart) {
  const {hash} = location;
  if (hash && !hash.startsWith('#/')) return;
  const [path, query] = hash.slice(2).split('?');
  const parameters = new URLSearchParams(query);
  scrollTo = isFollowingLink || isStart ? 0 : scrolled.get(hash) ?? 0;
  isFollowingLink = false;
  lastAddress = hash;
  if (!isStart && path === current.path && app.view?.navigate?.(parameters)) {
    app.invalidate();
    return;
  }
  current.path = path;
  current.number++;
  const view = viewOf(path, parameters);
  app.show(view);
  if (isStart) return;
  draw();
  window.scrollTo(0, 0);
  // A screen reader reads the new heading.
  document.getElementById('title')?.focus({preventScroll: true});
}

// ---- header ---------------------------------------------------------------------------------------------------------

/** The state of the connection: a short text for everyone, and a live region that only contains changes. */
function connection() {
  const {stream} = app;
  const {state: is} = stream;
  const isDown = is === 'lost' || is === 'limited';
  const since = clock(stream.since, Date.now());
  const text = is === 'live' ? state('good', 'live')
    : is === 'connecting' ? state('calm', 'connecting')
      : is === 'stopped' ? state('warn', 'not connected')
        : state('bad', is === 'lost' ? `Not connected since ${since}.` : `No live events since ${since}.`);
  const wait = Math.max(0, stream.retryAt - Date.now()) / 1000;
  return h('div', {class: 'connection', key: 'connection'},
    h('div', {role: 'status', id: 'connection'}, text,
      isDown && ` ${stream.detail} ${is === 'lost' ? 'The page can be outdated.' : 'The page is read every 5 s.'}`),
    isDown && h('div', {key: 'retry'},
      stream.retryAt > 0 ? `Next attempt in ${longDuration(Math.ceil(wait))}. ` : 'Connecting … ',
      h('button', {type: 'button', class: 'small', onclick: () => app.resume()}, 'Connect now')));
}

/** The part of the header about the leader. */
function leader() {
  const election = app.operator.data?.election;
  if (!election) return null;
  if (election.leading) return h('span', {class: 'leader'}, state('good', 'leads'));
  const pages = pagesAddress(election.leaderPages);
  return h('span', {class: 'leader'}, state('warn', 'stands by'), ' ',
    !election.leader ? 'No instance leads.'
      : pages ? ['Leader: ', h('a', {href: pages, id: 'leaderLink'}, election.leader)]
        : `Leader: ${election.leader} (the address of its pages is unknown)`);
}

function headerContent() {
  const {data} = app.operator;
  const problems = data?.problems.length ?? 0;
  return [
    h('div', {class: 'bar', key: 'bar'},
      h('a', {class: 'name', href: '#/'}, data?.name ?? 'Operator'),
      data?.instance && h('span', {class: 'instance'}, data.instance),
      data && (data.ready ? state('good', 'ready') : state('bad', problems > 1 ? `not ready (${problems} problems)`
        : `not ready${problems ? `: ${data.problems[0]}` : ''}`)),
      leader(),
      !needsToken() && connection(),
      app.client.token && !needsToken() && h('button', {type: 'button', class: 'small', key: 'forget',
        onclick: () => app.useToken('')}, 'Forget the token')),
    h('nav', {'aria-label': 'Pages', key: 'nav'}, h('ul', null, pages.map(([path, title]) => h('li', {key: path},
      h('a', {href: `#/${path}`, 'aria-current': path === current.path ? 'page' : undefined}, title))))),
    data?.election && !data.election.leading && h('p', {class: 'notice', key: 'notice'},
      'This instance stands by: its controllers do not reconcile. The page of the leader shows queues and reconciles.'),
  ];
}

// ---- token ----------------------------------------------------------------------------------------------------------

/** Whether the operator shows nothing without another token. */
const needsToken = () => app.tokenRequest !== '' || isForbidden();
const isForbidden = () => app.operator.error?.status === 403 && app.operator.data === null;

function tokenForm() {
  const problem = app.tokenRequest === 'rejected' ? 'The operator rejected the token.'
    : isForbidden() ? app.operator.error?.message : '';
  return [h('form', {class: 'token', key: 'token', onsubmit: (/** @type {Event} */ event) => {
    event.preventDefault();
    const input = /** @type {HTMLInputElement} */ (document.getElementById('token'));
    const token = input.value.trim();
    input.value = '';
    if (token) app.useToken(token);
  }},
  heading('This operator requires a bearer token'),
  h('p', {id: 'tokenHelp'}, 'The cluster must permit the user of the token to read the path /debug/. ',
    'For a service account: ', h('code', null, 'kubectl create token NAME')),
  h('p', {role: 'alert', id: 'tokenError'}, problem && state('bad', problem)),
  h('div', {class: 'field'}, h('label', {for: 'token'}, 'Bearer token'),
    h('input', {id: 'token', type: 'password', autocomplete: 'off', required: true,
      'aria-describedby': 'tokenHelp tokenError',
      ref: (/** @type {HTMLElement} */ input) => queueMicrotask(() => input.focus())})),
  h('button', {type: 'submit'}, 'Use the token'),
  h('p', {class: 'muted'}, 'The token stays in this tab and is removed when the tab is closed.'))];
}

// ---- drawing --------------------------------------------------------------------------------------------------------

function draw() {
  const title = `${app.view?.title} – ${app.operator.data?.name ?? 'operator'}`;
  if (document.title !== title) document.title = title;
  drawn.header = patch(header, drawn.header, headerContent());
  const hadForm = document.getElementById('token') !== null;
  drawMain();
  if (hadForm && !needsToken()) document.getElementById('title')?.focus();
  // The height of the rows of a new table is known only now.
  if (app.view?.rows?.measure()) drawMain();
  if (scrollTo > 0 && app.view?.resources.every(({data}) => data !== null)) {
    window.scrollTo(0, scrollTo);
    scrollTo = 0;
  }
}

function drawMain() {
  drawn.main = patch(main, drawn.main, needsToken() ? tokenForm()
    : [h('div', {key: `view ${current.number}`, class: 'view'}, app.view?.render())]);
}

document.getElementById('skip')?.addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
  main.scrollIntoView();
});
document.addEventListener('click', (event) => {
  if (event.target instanceof Element && event.target.closest('a[href^="#/"]')) isFollowingLink = true;
});
let rowsFrame = 0;
const windowChanged = () => {
  scrolled.set(lastAddress, window.scrollY);
  // measure() reads the layout, so it runs once a frame.
  rowsFrame ||= requestAnimationFrame(() => {
    rowsFrame = 0;
    if (app.view?.rows?.measure()) draw();
  });
};
window.addEventListener('scroll', windowChanged, {passive: true});
window.addEventListener('resize', windowChanged);
window.addEventListener('hashchange', () => navigate(false));
history.scrollRestoration = 'manual';
navigate(true);
app.start();
