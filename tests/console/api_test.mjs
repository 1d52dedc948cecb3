// SPDX-License-Identifier: Apache-2.0
// Tests without a browser: the mock conforms to the document, and the parts of the console without a page.
import assert from 'node:assert/strict';
import {readdirSync, readFileSync, statSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {check, document, operationOf, root} from './document.mjs';
import {MockServer} from './mock_server.mjs';

const folder = process.env.CONSOLE_FOLDER ?? join(root, 'console');
const {EventParser} = await import(join(folder, 'stream.js'));
const {Rates} = await import(join(folder, 'app.js'));
const format = await import(join(folder, 'format.js'));

const schema = (name) => ({$ref: `#/components/schemas/${name}`});

test('the schema check finds missing, unknown, wrong and malformed members', () => {
  const cause = {source: 'retry', text: 'retry 1'};
  assert.deepEqual(check(schema('Cause'), cause), []);
  assert.equal(check(schema('Cause'), {source: 'retry'}).length, 1);
  assert.equal(check(schema('Cause'), {...cause, other: 1}).length, 1);
  assert.equal(check(schema('Cause'), {...cause, text: 1}).length, 1);
  assert.equal(check(schema('Cause'), {...cause, queuedAt: 'yesterday'}).length, 1);
  assert.equal(check(schema('Event'), {type: 'Odd', reason: '', message: '', at: '2026-01-01T00:00:00Z'}).length, 1);
  assert.equal(check(schema('Controllers'), {items: [{}]}).length, 10);
  assert.equal(check({type: 'string', pattern: 'a'}, 'a').length, 1);
});

test('the mock implements every operation, and its responses match the document', async (context) => {
  const server = await new MockServer({keys: 300}).start();
  context.after(() => server.stop());
  const seen = new Set();
  const request = async (method, path, status) => {
    const {pathname} = new URL(path, 'http://mock');
    const found = operationOf(method, pathname);
    assert.ok(found, `${method} ${pathname} is not in the document`);
    seen.add(`${method} ${found.path}`);
    const response = await fetch(server.url + path.slice(1), {method});
    assert.equal(response.status, status, `${method} ${path}: ${JSON.stringify(await response.clone().text())}`);
    return response.json();
  };
  await request('GET', '/debug/v1/operator', 200);
  await request('GET', '/debug/v1/controllers', 200);
  for (const {name} of server.state.controllers) {
    await request('GET', `/debug/v1/controllers/${name}/queue?limit=1000`, 200);
    await request('GET', `/debug/v1/controllers/${name}/objects?limit=1000`, 200);
    for (const key of [...server.state.objects[name].keys()].slice(-20)) {
      await request('GET', `/debug/v1/controllers/${name}/object?key=${encodeURIComponent(key)}`, 200);
    }
  }
  await request('GET', '/debug/v1/controllers/webapp/object?key=shop/checkout', 200);
  const query = 'state=waiting&search=item-0001&limit=3';
  const waiting = await request('GET', `/debug/v1/controllers/inventory/queue?${query}`, 200);
  assert.equal(waiting.items.length, 3);
  assert.ok(waiting.matching > 3);
  assert.ok(waiting.items.every(({key, state}) => state === 'waiting' && key.includes('item-0001')));
  const failing = await request('GET', '/debug/v1/controllers/webapp/objects?state=notReady', 200);
  assert.equal(failing.items[0].key, 'shop/checkout');
  await request('GET', '/debug/v1/controllers/webapp/objects?limit=0', 400);
  await request('GET', '/debug/v1/controllers/webapp/objects?limit=1001', 400);
  await request('GET', '/debug/v1/controllers/webapp/objects?state=odd', 400);
  await request('GET', '/debug/v1/controllers/webapp/objects?odd=1', 400);
  await request('GET', '/debug/v1/controllers/webapp/object', 400);
  await request('GET', '/debug/v1/controllers/webapp/object?key=none', 404);
  await request('GET', '/debug/v1/controllers/none/queue', 404);
  await request('GET', '/debug/v1/reconciles?controller=webapp&outcome=error', 200);
  await request('GET', '/debug/v1/caches', 200);
  await request('GET', '/debug/v1/replicas', 200);
  await request('GET', '/debug/v1/log?level=warning&search=checkout', 200);
  await request('POST', '/debug/v1/controllers/webapp/reconcile?key=shop/checkout', 202);
  await request('POST', '/debug/v1/controllers/webapp/pause?key=shop/checkout&paused=odd', 400);
  await request('POST', '/debug/v1/controllers/webapp/pause?key=shop/checkout', 200);
  await request('POST', '/debug/v1/log-level?level=debug', 200);
  assert.deepEqual(await request('GET', '/debug/v1/openapi.json', 200), document);
  await request('GET', '/debug/v1/stream?events=odd', 400);
  server.refuseStreams = true;
  await request('GET', '/debug/v1/stream', 503);
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`));
  assert.deepEqual([...seen].sort(), all.sort());
  assert.deepEqual(server.errors, []);
});

test('the stream of the mock contains every event, and its data match the document', async (context) => {
  const server = await new MockServer({keys: 300}).start();
  context.after(() => server.stop());
  const response = await fetch(`${server.url}debug/v1/stream?controller=webapp`);
  server.reconcile('webapp', 'shop/checkout', []);
  server.reconcile('database', 'shop/old-db', []);
  server.emit('gap', {dropped: 3});
  server.live();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const names = new Map();
  for await (const bytes of response.body) {
    for (const {name, data} of parser.push(decoder.decode(bytes, {stream: true}))) {
      names.set(name, [...(names.get(name) ?? []), JSON.parse(data)]);
    }
    if (names.has('controllers')) break;
  }
  assert.deepEqual([...names.keys()].sort(), ['controllers', 'gap', 'log', 'reconcile']);
  assert.deepEqual(names.get('reconcile').map(({key}) => key), ['shop/checkout']);
  assert.deepEqual(server.errors, []);
});

test('the parser of events accepts every split, line end and comment', () => {
  const text = ': hello\r\n\r\nevent: a\r\ndata: 1\rdata:  2\n\nevent:b\ndata\nid: 7\n\n' +
    'event: empty\n\ndata: 3\r\n\r\n';
  const expected = [{name: 'a', data: '1\n 2'}, {name: 'b', data: ''}, {name: 'message', data: '3'}];
  for (let size = 1; size <= text.length; size++) {
    const parser = new EventParser();
    const events = [];
    for (let at = 0; at < text.length; at += size) events.push(...parser.push(text.slice(at, at + size)));
    events.push(...parser.push(': end\n'));
    assert.deepEqual(events, expected, `pieces of ${size}`);
  }
});

test('rates are differences of counters and begin again with a new process', () => {
  const rates = new Rates();
  const counters = (success, error) => [{name: 'a', reconciles: {success, requeue: 0, requeueAfter: 0, error}}];
  rates.add(counters(100, 5), 0);
  assert.deepEqual(rates.of('a'), {});
  for (let second = 1; second <= 20; second++) rates.add(counters(100 + 3 * second, 5 + second), second * 1000);
  assert.deepEqual(rates.of('a'), {all: 4, errors: 1});
  rates.add(counters(1, 0), 21000);
  assert.deepEqual(rates.of('a'), {});
  assert.deepEqual(rates.of('none'), {});
});

test('durations, sizes and times are short and exact', () => {
  const cases = [[0.0004, '0.4 ms'], [0.0123, '12 ms'], [0.0996, '100 ms'], [0.9996, '1.0 s'], [1.26, '1.3 s'],
    [9.96, '10 s'], [59.6, '1 min'], [61, '1 min 1 s'], [3600, '1 h'], [7384, '2 h 3 min'], [90000, '1 d 1 h']];
  for (const [seconds, text] of cases) assert.equal(format.duration(seconds), text);
  assert.equal(format.bytes(0), '0 B');
  assert.equal(format.bytes(1536), '1.5 KiB');
  assert.equal(format.bytes(7340032), '7.0 MiB');
  const now = Date.parse('2026-01-01T12:00:00Z');
  assert.equal(format.relative('2026-01-01T12:00:42Z', now), 'in 42 s');
  assert.equal(format.relative('2026-01-01T11:58:30Z', now), '1 min 30 s ago');
  assert.equal(format.relative('soon', now), 'soon');
  assert.equal(format.rate(undefined), '–');
  assert.equal(format.rate(0.04), '< 0.1');
});

test('the files of the console are small, and have no code or style outside of their files', () => {
  const files = readdirSync(folder);
  const size = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
  console.log(`page weight: ${size} bytes in ${files.length} files`);
  assert.ok(size <= 150000, `${size} bytes`);
  for (const file of files) {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.match(text.split('\n')[0], /SPDX-License-Identifier: Apache-2\.0/, file);
    text.split('\n').forEach((line, index) => assert.ok(line.length <= 120, `${file}:${index + 1} is too long`));
    assert.doesNotMatch(text, /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/, file);
    if (file.endsWith('.js')) assert.match(text, /^\/\/ @ts-check$/m, file);
  }
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  assert.doesNotMatch(page, /<style|style=|\son\w+=|<script(?![^>]*src=)|(?:src|href)="(?:\/|https?:)/);
});
