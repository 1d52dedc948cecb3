// SPDX-License-Identifier: Apache-2.0
// Measures the CPU time that an open console costs an operator with about 1,000 reconciles a second:
//   tests/console/run --measure FOLDER       FOLDER has the programs pintle and leader-operator of the preset release
// The operator reconciles --hearts objects (100), each every --period milliseconds (100). Windows of --seconds (10) with
// and without the first page of the console in Chromium alternate, --pairs times (5). The last line is one JSON object.
// Other work of the machine disturbs the result; the rate shows whether the operator reached 1,000 reconciles a second.
import {spawn, spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {parseArgs} from 'node:util';
import {launch, until} from './browser.mjs';

const {positionals: [programs], values} = parseArgs({allowPositionals: true, options: {
  hearts: {type: 'string', default: '100'}, period: {type: 'string', default: '100'},
  seconds: {type: 'string', default: '10'}, pairs: {type: 'string', default: '5'},
}});
if (!programs) {
  console.error('usage: node measure.mjs FOLDER [--hearts N] [--period MILLISECONDS] [--seconds N] [--pairs N]');
  process.exit(2);
}
const hearts = Number(values.hearts);
const seconds = Number(values.seconds);
const pairs = Number(values.pairs);
const ticks = Number(spawnSync('getconf', ['CLK_TCK'], {encoding: 'utf8'}).stdout);

const folder = mkdtempSync(join(tmpdir(), 'pintle-measure-'));
const config = join(folder, 'kubeconfig');
const running = [];
let browser;

function start(name, ...given) {
  const child = spawn(join(programs, name), given, {stdio: ['ignore', 'pipe', 'ignore']});
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

/** The CPU time of a process in seconds: fields 14 and 15 of /proc/PID/stat, counted behind the name of the program. */
function cpu(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ');
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

async function measure() {
  const server = start('pintle', 'dev', '--kubeconfig', config);
  await new Promise((resolve, reject) => {
    server.stdout.once('data', resolve);
    server.once('exit', (code) => reject(new Error(`pintle dev ended with ${code}`)));
  });
  server.stdout.resume();
  const url = `http://127.0.0.1:${await freePort()}`;
  const operator = start('leader-operator', '--kubeconfig', config, '--listen', url.slice(7), '--debug',
    '--no-leader-elect');
  operator.stdout.resume();
  await until(() => fetch(`${url}/readyz`).then(({ok}) => ok, () => false), 'the operator is ready');
  const list = Array.from({length: hearts}, (_, n) => ({apiVersion: 'demo.pintle.dev/v1', kind: 'Heart',
    metadata: {name: `heart-${n}`, namespace: 'default'}, spec: {milliseconds: Number(values.period)}}));
  const created = spawnSync(process.env.KUBECTL ?? 'kubectl', ['--kubeconfig', config, 'create', '-f', '-'],
    {input: JSON.stringify({apiVersion: 'v1', kind: 'List', items: list}), encoding: 'utf8'});
  if (created.status !== 0) throw new Error(created.stderr);

  const reconciles = async () => Object.values((await (await fetch(`${url}/debug/v1/controllers`)).json())
    .items[0].reconciles).reduce((sum, one) => sum + one, 0);
  await until(async () => await reconciles() > hearts, 'all objects are reconciled');
  browser = await launch();
  const window = async () => {
    const before = {cpu: cpu(operator.pid), count: await reconciles(), at: Date.now()};
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
    const took = (Date.now() - before.at) / 1000;
    return {percent: (cpu(operator.pid) - before.cpu) / took * 100, rate: (await reconciles() - before.count) / took};
  };
  const results = [];
  for (let pair = 0; pair < pairs; pair++) {
    const closed = await window();
    const page = await browser.newPage();
    await page.goto(`${url}/`);
    await until(async () => (await page.locator('#connection').innerText()).includes('live'), 'the console is live');
    const open = await window();
    await page.close();
    results.push({closed, open});
    console.log(`without console ${closed.percent.toFixed(1)} % at ${closed.rate.toFixed(0)}/s, with console ${
      open.percent.toFixed(1)} % at ${open.rate.toFixed(0)}/s`);
  }
  return results;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
try {
  const results = await measure();
  console.log(JSON.stringify({
    reconciles_per_s: Math.round(median(results.flatMap(({closed, open}) => [closed.rate, open.rate]))),
    cpu_percent: Number(median(results.map(({closed}) => closed.percent)).toFixed(1)),
    console_cpu_percent: Number(median(results.map(({closed, open}) => open.percent - closed.percent)).toFixed(1)),
  }));
} finally {
  await browser?.close();
  for (const one of running.reverse()) {
    const ended = new Promise((resolve) => one.once('exit', resolve));
    one.kill();
    await ended;
  }
  rmSync(folder, {recursive: true});
}
