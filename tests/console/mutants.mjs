// SPDX-License-Identifier: Apache-2.0
// Breaks copies of the console and checks that a test fails for each: node mutants.mjs [NUMBER…]
import {spawnSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {here, root} from './document.mjs';

/** File, text, replacement, and a pattern of the test that must fail. */
const mutants = [
  ['object.js', "data.why ?? '", "'", 'three clicks'],
  ['parts.js', 'change.before !== undefined &&', 'false &&', 'three clicks'],
  ['main.js', "document.getElementById('title')?.focus({preventScroll: true});", '', 'keyboard only'],
  ['style.css', 'outline: 2px solid var(--accent)', 'outline: none', 'keyboard only'],
  ['object.js', 'result = {isGood: true, text: success};', '', 'resumed and paused'],
  ['object.js', "act('pause', {paused: false}", "act('pause', {paused: true}", 'resumed and paused'],
  ['client.js', '{Authorization: `Bearer ${token}`}', '{}', 'a token is asked'],
  ['client.js', 'sessionStorage.setItem', 'localStorage.setItem', 'a token is asked'],
  ['stream.js', 'this.timer = window.setTimeout(() => this.start(), delay);', '', 'a lost connection'],
  ['stream.js', "error.status === 0 ? 'lost' : 'limited'", "'lost'", 'without a stream'],
  ['app.js', 'if (document.hidden) this.stream.stop();', 'if (false) this.stream.stop();', 'hidden page'],
  ['main.js', "if (url.protocol !== 'https:' && url.protocol !== 'http:') return null;", '', 'a follower'],
  ['parts.js', 'this.isHeld || this.open.size > 0', 'false', 'open details'],
  ['parts.js', 'this.isHeld || this.open.size > 0', 'false', 'a held list'],
  ['dom.js', 'Math.max(0, Math.min(first, this.count - visible))', '0', '10,000 keys'],
  ['dom.js', 'Math.min(this.count, Math.max(0, start + visible))', 'this.count', '10,000 keys'],
  ['dom.js', 'if (focused >= end) ranges', 'if (false) ranges', 'with the focus'],
  ['dom.js', 'if (focused >= 0 && focused < start) ranges', 'if (false) ranges', 'with the focus'],
  ['dom.js', 'element.value = next.props.value;', '', '10,000 keys'],
  ['dom.js', 'document.createTextNode(vnode.props.text)',
    'document.createRange().createContextualFragment(vnode.props.text)', 'texts with HTML'],
  ['client.js', 'fetch(`debug/v1/', 'fetch(`/debug/v1/', 'prefix of a proxy'],
  ['index.html', 'href="console/icon.svg"', 'href="https://example.com/icon.svg"', 'held list'],
  ['style.css', '--muted: #57606a', '--muted: #a0a8b0', 'any page in light'],
  ['style.css', '--bad: #ff8a80', '--bad: #7a1f1a', 'any page in dark'],
  ['parts.js', "h('label', {for: id}, label), control", "h('span', null, label), control", 'any page in light'],
  ['overview.js', 'list.data?.matching', 'list.data?.notReady', 'without a condition'],
  ['style.css', '@media (max-width: 760px)', '@media (max-width: 76px)', '360 pixels'],
  ['stream.js', 'this.data.push(value)', 'this.data = [value]', 'parser of events'],
  ['app.js', 'if (!samples || all < samples[samples.length - 1].all)', 'if (!samples)', 'rates are differences'],
  ['log.js', 'if (lines.length > 0 && data.id <= lines[lines.length - 1].id) return;', 'return;', 'log level'],
];

const chosen = process.argv.slice(2).map(Number);
let survivors = 0;
mutants.forEach(([file, text, replacement, pattern], index) => {
  if (chosen.length > 0 && !chosen.includes(index)) return;
  const folder = mkdtempSync(join(tmpdir(), 'console-mutant-'));
  try {
    cpSync(join(root, 'console'), folder, {recursive: true});
    const before = readFileSync(join(folder, file), 'utf8');
    if (!before.includes(text)) throw new Error(`${file} does not contain: ${text}`);
    writeFileSync(join(folder, file), before.replace(text, () => replacement));
    const {stdout, status} = spawnSync(process.execPath, ['--test', '--test-concurrency=1', '--test-reporter=tap',
      `--test-name-pattern=${pattern}`, 'api_test.mjs', 'browser_test.mjs'],
    {cwd: here, encoding: 'utf8', env: {...process.env, CONSOLE_FOLDER: folder, CONSOLE_TIMEOUT: '8000'}});
    const failed = /^ *not ok \d+ - (?!.*SKIP)(.+)$/m.exec(stdout);
    if (status === 0 || !failed) survivors++;
    const result = status !== 0 && failed ? 'found' : 'SURVIVES';
    console.log(`${index} ${result}: ${file}: ${text.slice(0, 60)} (${pattern})`);
  } finally {
    rmSync(folder, {recursive: true});
  }
});
console.log(survivors === 0 ? 'console: a test fails for each broken console' : `console: ${survivors} survive`);
process.exitCode = survivors === 0 ? 0 : 1;
