// SPDX-License-Identifier: Apache-2.0
// The console of a running operator, with `pintle dev` as its cluster: tests/console/run --programs DIR.
import assert from 'node:assert/strict';
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {launch, until} from './browser.mjs';

const programs = process.env.PROGRAMS;
// The server refuses the ConfigMap of one Greeting.
const faults = JSON.stringify({faults: [{requests: {verb: 'patch', resource: 'configmaps', name: 'stuck'},
  error: {status: 422, reason: 'Invalid'}}]});

let browser;
let folder;
let page;
let url;
let config;
const running = [];
const problems = [];

function start(name, ...given) {
  const child = spawn(join(programs, name), given, {stdio: ['ignore', 'pipe', process.env.VERBOSE ? 'inherit' : 'ignore']});
  running.push(child);
  return child;
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const {port} = server.address();
      server.close(() => resolve(port));
    });
  });
}

function apply(name, who) {
  const object = {apiVersion: 'demo.pintle.dev/v1', kind: 'Greeting', metadata: {name}, spec: {who}};
  const done = spawnSync(process.env.KUBECTL ?? 'kubectl', ['--kubeconfig', config, 'apply', '-f', '-'],
    {input: JSON.stringify(object), encoding: 'utf8'});
  assert.equal(done.status, 0, done.stderr);
}

const get = async (path) => (await fetch(`${url}/debug/v1/${path}`)).json();

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pintle-console-'));
  config = join(folder, 'kubeconfig');
  writeFileSync(join(folder, 'faults.json'), faults);
  const server = start('pintle', 'dev', '--kubeconfig', config, '--faults', join(folder, 'faults.json'));
  await new Promise((resolve, reject) => {
    server.stdout.once('data', resolve);
    server.once('exit', (code) => reject(new Error(`pintle dev ended with ${code}`)));
  });
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  start('hello-operator', '--kubeconfig', config, '--listen', `127.0.0.1:${port}`, '--debug');
  await until(() => fetch(`${url}/readyz`).then(({ok}) => ok, () => false), 'the operator is ready');
  apply('stuck', 'nobody');
  apply('good', 'you');
  await until(async () => (await get('reconciles?outcome=error')).items.length > 1, 'reconciles fail');
  browser = await launch();
  page = await browser.newPage();
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
});

after(async () => {
  await browser?.close();
  for (const one of running.reverse()) {
    const ended = new Promise((resolve) => one.once('exit', resolve));
    one.kill();
    await ended;
  }
  rmSync(folder, {recursive: true});
});

const text = (selector) => page.locator(selector).first().innerText();
const contains = (selector, wanted) =>
  until(async () => (await page.locator(selector).count()) > 0 && (await text(selector)).includes(wanted),
    `${selector} contains ${wanted}`);

test('the cause of an object that a fault made stuck is one click away', async () => {
  await page.goto(`${url}/`);
  await contains('.attention', 'default/stuck');
  await contains('#attention', 'Needs attention 1');  // a Greeting has no condition
  await page.getByRole('link', {name: 'default/stuck', exact: true}).first().click();
  await contains('#why', 'apply v1 ConfigMap default/stuck');
  await contains('#why', 'The last reconcile failed');
  await contains('#next', 'The next reconcile is due in');
});

test('the writes of a reconcile are shown', async () => {
  await page.goto(`${url}/#/controllers/greeting/object?key=default%2Fgood`);
  await contains('.tree', 'ConfigMap');
  apply('good', 'all');
  await contains('.reconciles', '/spec/who');
  await page.locator('.reconciles summary').filter({hasText: '/spec/who'}).first().click();
  await contains('.writes', '/data/text');
  await contains('.writes', 'Hello, all!');
  await contains('.spans', 'PATCH /api/v1/namespaces/{namespace}/configmaps/{name}');
});

test('an object is paused, resumed and reconciled now', async () => {
  await page.goto('about:blank');  // closes the details, which hold the list
  await page.goto(`${url}/#/controllers/greeting/object?key=default%2Fgood`);
  await page.getByRole('button', {name: 'Pause', exact: true}).click();
  await until(async () => (await get('controllers/greeting/object?key=default/good')).paused, 'the object is paused');
  await page.getByRole('button', {name: 'Resume', exact: true}).click();
  await until(async () => !(await get('controllers/greeting/object?key=default/good')).paused, 'it is resumed');
  await page.getByRole('button', {name: 'Reconcile now', exact: true}).click();
  await contains('.reconciles', 'requested by /debug/');
});

test('all pages work with a running operator', async () => {
  for (const [hash, wanted] of [['#/queue', 'default/stuck'], ['#/caches', 'greetings'], ['#/log', 'reconcile failed'],
    ['#/reconciles', 'default/good'], ['#/controllers/greeting', 'default/stuck']]) {
    await page.goto(`${url}/${hash}`);
    await contains('main', wanted);
  }
  assert.deepEqual(problems, []);
});
