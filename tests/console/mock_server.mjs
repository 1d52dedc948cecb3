// SPDX-License-Identifier: Apache-2.0
// A server of the console and of the whole debug API, with the state of fixture.mjs. It checks each request and each of
// its responses against debug_v1.json. As in an operator, the page is "/", and its other files are below "/console/".
//
//   node mock_server.mjs [PORT] [--follower] [--token TOKEN]   serves on 127.0.0.1 until it is interrupted
import {createServer} from 'node:http';
import {readFileSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {fileURLToPath} from 'node:url';
import {check, checkResponse, document, eventSchema, operationOf, parametersOf, root} from './document.mjs';
import {fixture} from './fixture.mjs';

const types = {html: 'text/html; charset=utf-8', css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml'};
const policy = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";
const levels = ['debug', 'info', 'warning', 'error'];
const eventNames = ['controllers', 'reconcile', 'log', 'gap'];
const maxStreams = 8;

/** The body of an error. */
const statusOf = (code, message) => ({kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message,
  reason: code === 404 ? 'NotFound' : code === 401 ? 'Unauthorized' : code === 403 ? 'Forbidden' : 'BadRequest', code});

class HttpError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * Options: `keys` and `start` of the fixture; `follower`: another instance leads; `leaderPages`: its address; `token`:
 * required bearer token; `prefix`: path of the page, for example "/proxy/"; `folder`: the files of the console; `rate`:
 * reconciles per second in the stream; `readOnly`: the operator lacks the permission to write.
 */
export class MockServer {
  constructor(options = {}) {
    this.options = {prefix: '/', folder: join(root, 'console'), rate: 3, ...options};
    this.state = fixture(options);
    /** Texts of responses and events that do not match the document, and of failures of this server. */
    this.errors = [];
    this.requests = [];
    this.streams = new Set();
    this.refuseStreams = false;
    if (options.follower) {
      Object.assign(this.state.operator.election, {
        leading: false, leader: 'shop-operator-6d5f-leads', leaderPages: options.leaderPages ?? 'https://10.0.0.3:8443',
      });
      for (const one of this.state.replicas) one.leading = one.name.endsWith('leads');
    }
  }

  get url() {
    return `http://127.0.0.1:${this.port}${this.options.prefix}`;
  }

  /** Listens on the same port as before, or on a free one. */
  async start(port = this.port ?? 0) {
    this.server = createServer((request, response) => this.serve(request, response));
    await new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    this.port = this.server.address().port;
    this.timer = setInterval(() => this.live(), 1000);
    return this;
  }

  /** Closes all connections and the port. */
  async stop() {
    clearInterval(this.timer);
    this.streams.clear();
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.server.closeAllConnections();
    await closed;
  }

  // ---- requests -----------------------------------------------------------------------------------------------------

  serve(request, response) {
    const {prefix} = this.options;
    const url = new URL(request.url, 'http://mock');
    this.requests.push({method: request.method, path: url.pathname, query: url.search,
      authorization: request.headers.authorization});
    const path = url.pathname.startsWith(prefix) ? `/${url.pathname.slice(prefix.length)}` : null;
    try {
      if (path === null) throw new HttpError(404, 'outside of the prefix');
      if (path === '/') return this.serveFile('index.html', response);
      if (path.startsWith('/console/')) return this.serveFile(path.slice('/console/'.length), response);
      this.authorize(request);
      const found = operationOf(request.method, path);
      if (!found) throw new HttpError(404, `There is no ${request.method} ${path}.`);
      const {values, error} = parametersOf(found.operation, url.searchParams);
      if (error) throw new HttpError(400, error);
      for (const name of Object.keys(found.inPath)) found.inPath[name] = decodeURIComponent(found.inPath[name]);
      const handler = this[`${request.method.toLowerCase()} ${found.path.replace('/debug/v1/', '')}`];
      if (!handler) throw new Error(`the mock does not implement ${request.method} ${found.path}`);
      const result = handler.call(this, {...values, ...found.inPath}, response);
      if (result) this.send(response, result.status ?? 200, result.body, found.operation);
    } catch (error) {
      const status = error instanceof HttpError ? error.status : 500;
      if (status === 500) this.errors.push(String(error.stack));
      const operation = path && operationOf(request.method, path)?.operation;
      // The guard in front of the API responds with 401 and 403.
      const isGuard = status === 401 || (status === 403 && request.method === 'GET');
      this.send(response, status, statusOf(status, error.message), isGuard || status === 500 ? null : operation);
    }
  }

  authorize(request) {
    const {token, forbidden} = this.options;
    if (!token) return;
    const match = /^Bearer (.+)$/.exec(request.headers.authorization ?? '');
    if (match && match[1] === forbidden) {
      throw new HttpError(403, 'the user system:serviceaccount:shop:viewer may not get the path /debug/v1/');
    }
    if (!match || match[1] !== token) throw new HttpError(401, 'no valid bearer token');
  }

  send(response, status, body, operation) {
    const text = JSON.stringify(body);
    if (operation) {
      const errors = checkResponse(operation, status, JSON.parse(text));
      this.errors.push(...errors.map((error) => `${operation.summary} ${error}`));
    }
    response.writeHead(status, {'Content-Type': 'application/json', 'Cache-Control': 'no-store',
      ...(status === 401 && {'WWW-Authenticate': 'Bearer'})});
    response.end(text);
  }

  serveFile(name, response) {
    const {folder} = this.options;
    if (!readdirSync(folder).includes(name)) throw new HttpError(404, `There is no page /${name}.`);
    response.writeHead(200, {'Content-Type': types[name.split('.').pop()], 'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-cache'});
    response.end(readFileSync(join(folder, name)));
  }

  // ---- API ----------------------------------------------------------------------------------------------------------

  controller(name) {
    const found = this.state.controllers.find((controller) => controller.name === name);
    if (!found) throw new HttpError(404, `There is no controller ${name}.`);
    return found;
  }

  object(controller, key) {
    this.controller(controller);
    const object = this.state.objects[controller].get(key);
    if (!object) throw new HttpError(404, `The controller ${controller} has no object ${key}.`);
    return object;
  }

  'get operator'() {
    const {operator, controllers} = this.state;
    return {body: {...operator, now: new Date().toISOString(), controllers: controllers.map(({name}) => name)}};
  }

  'get controllers'() {
    const items = this.state.controllers.map((controller) => {
      const entries = [...this.state.queues[controller.name].values()];
      const counted = (state) => entries.filter((entry) => entry.state === state).length;
      return {...controller, objects: this.state.objects[controller.name].size, working: counted('working'),
        waiting: counted('waiting'), delayed: counted('delayed')};
    });
    return {body: {items}};
  }

  'get controllers/{controller}/queue'({controller, state, search = '', limit}) {
    this.controller(controller);
    const order = ['working', 'waiting', 'delayed'];
    const all = [...this.state.queues[controller].values()];
    const items = all.filter((entry) => (!state || entry.state === state) && entry.key.includes(search)).sort((a, b) =>
      order.indexOf(a.state) - order.indexOf(b.state) || (a.due ?? '').localeCompare(b.due ?? ''));
    return {body: {total: all.length, matching: items.length, items: items.slice(0, limit)}};
  }

  'get controllers/{controller}/objects'({controller, state, search = '', limit}) {
    this.controller(controller);
    const queue = this.state.queues[controller];
    const all = [...this.state.objects[controller].values()].filter(({exists}) => exists).map((object) => {
      const condition = object.conditions.find(({type}) => type === 'Ready');
      const entry = queue.get(object.key);
      return {
        key: object.key, readiness: object.readiness, paused: object.paused,
        deleting: object.deletingSince !== undefined, failures: entry?.failures ?? 0, reason: condition?.reason,
        message: condition?.message, error: entry?.failures ? object.reconciles[0]?.error : undefined, due: entry?.due,
      };
    });
    const needsAttention = (object) => object.readiness === 'notReady' || object.failures > 0;
    const rank = (object) => object.failures > 0 ? 0 : object.readiness === 'notReady' ? 1 : 2;
    const items = all.filter((object) => (!state || needsAttention(object)) && object.key.includes(search))
      .sort((a, b) => rank(a) - rank(b) || (a.key < b.key ? -1 : 1));
    return {body: {total: all.length, notReady: all.filter(({readiness}) => readiness === 'notReady').length,
      matching: items.length, items: items.slice(0, limit)}};
  }

  'get controllers/{controller}/object'({controller, key}) {
    const object = this.object(controller, key);
    return {body: {...object, queue: this.state.queues[controller].get(key)}};
  }

  'post controllers/{controller}/reconcile'({controller, key}) {
    const object = this.object(controller, key);
    if (this.options.follower) {
      const {leader, leaderPages} = this.state.operator.election;
      throw new HttpError(503, `this instance does not reconcile the objects of the controller ${controller}; send the ` +
        `request to the leader, ${leader}${leaderPages ? `, at ${leaderPages}` : ''}`);
    }
    const before = this.state.queues[controller].get(key);
    const causes = [{source: 'channel', text: 'channel: the debug page', queuedAt: new Date().toISOString()}];
    this.state.queues[controller].set(key, {key, state: 'waiting', due: new Date().toISOString(), priority: 0,
      failures: before?.failures ?? 0, causes});
    object.next = 'The object waits for a worker.';
    setImmediate(() => this.reconcile(controller, key, causes));
    return {status: 202, body: {queued: key}};
  }

  'post controllers/{controller}/pause'({controller, key, paused}) {
    const object = this.object(controller, key);
    if (this.options.readOnly) {
      throw new HttpError(403, 'the operator may not patch certificates.pki.example.com in shop; see --print-rbac');
    }
    object.paused = paused;
    object.next = paused ? 'Nothing happens until the annotation is removed.' : 'The object is reconciled now.';
    if (!paused) delete object.why;
    return {body: {key, paused}};
  }

  'get reconciles'({controller, key, outcome, limit}) {
    const items = Object.values(this.state.objects).flatMap((objects) => [...objects.values()].flatMap((object) =>
      object.reconciles)).filter((reconcile) => (!controller || reconcile.controller === controller)
        && (!key || reconcile.key === key) && (!outcome || reconcile.outcome === outcome));
    return {body: {items: items.sort((a, b) => b.id - a.id).slice(0, limit)}};
  }

  'get replicas'() {
    const {operator, replicas} = this.state;
    if (!operator.election) throw new HttpError(404, 'The operator runs without leader election, as one instance.');
    return {body: {items: replicas}};
  }

  'get caches'() {
    return {body: {items: this.state.caches}};
  }

  'get log'({level = 'debug', search = '', limit}) {
    const items = this.state.log.filter((line) => levels.indexOf(line.level) >= levels.indexOf(level)
      && `${line.message} ${JSON.stringify(line.fields)}`.includes(search));
    return {body: {items: items.slice(-limit)}};
  }

  'post log-level'({level}) {
    this.state.operator.logLevel = level;
    return {body: {logLevel: level}};
  }

  'get openapi.json'() {
    return {body: document};
  }

  'get stream'({controller, key, events}, response) {
    const names = events?.split(',');
    for (const name of names ?? []) {
      if (!eventNames.includes(name)) throw new HttpError(400, `there is no event ${name}`);
    }
    if (this.streams.size >= maxStreams || this.refuseStreams) {
      throw new HttpError(503, `The operator serves at most ${maxStreams} streams at a time.`);
    }
    const stream = {response, controller, key, names};
    this.streams.add(stream);
    response.on('close', () => this.streams.delete(stream));
    response.writeHead(200, {'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store'});
    response.write(': connected\n\n');
    return null;
  }

  // ---- live events --------------------------------------------------------------------------------------------------

  /** Sends an event to all streams that want it. */
  emit(name, data) {
    for (const error of check(eventSchema(name), data)) this.errors.push(`event ${name} ${error}`);
    const text = `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const {response, controller, key, names} of this.streams) {
      const isWanted = name !== 'reconcile'
        || ((!controller || controller === data.controller) && (!key || key === data.key));
      if (isWanted && (!names || names.includes(name))) response.write(text);
    }
  }

  /** Records and streams a reconcile of an object, and removes its key from the queue. */
  reconcile(controller, key, causes, changes = {}) {
    const {state} = this;
    const reconcile = {id: state.nextId++, controller, key, begun: new Date().toISOString(), seconds: 0.021,
      queuedSeconds: 0.001, outcome: 'success', causes, writes: [], ...changes};
    this.controller(controller).reconciles[reconcile.outcome]++;
    state.queues[controller].delete(key);
    const object = state.objects[controller].get(key);
    if (object) object.reconciles = [reconcile, ...object.reconciles].slice(0, 50);
    this.emit('reconcile', reconcile);
    this.log('debug', 'reconciled', {controller, key, outcome: reconcile.outcome, took: reconcile.seconds});
  }

  log(level, message, fields = {}) {
    const line = {id: this.state.nextLine++, time: new Date().toISOString(), level, message, fields};
    this.state.log.push(line);
    this.emit('log', line);
  }

  /** One second of the life of the operator: reconciles of the longest queue, and the counters. */
  live() {
    const {inventory} = this.state.queues;
    const due = [...inventory.keys()].slice(0, this.options.rate);
    for (const key of due) {
      const {causes} = inventory.get(key);
      this.reconcile('inventory', key, causes);
      // The key becomes due again, so that the queue keeps its length.
      inventory.set(key, {key, state: 'delayed', due: new Date(Date.now() + 600000).toISOString(), priority: 0,
        failures: 0, causes});
    }
    this.emit('controllers', this['get controllers']().body);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , ...words] = process.argv;
  const token = words.includes('--token') ? words[words.indexOf('--token') + 1] : undefined;
  const server = await new MockServer({follower: words.includes('--follower'), token}).start(Number(words[0]) || 0);
  console.log(server.url);
}
