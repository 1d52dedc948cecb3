// SPDX-License-Identifier: Apache-2.0
// Takes screenshots of every page, narrow and wide, light and dark: node screenshots.mjs FOLDER [NAME…]
import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {launch, pages, Session} from './browser.mjs';

const [, , folder, ...names] = process.argv;
if (!folder) {
  console.error('usage: node screenshots.mjs FOLDER [NAME…]');
  process.exit(2);
}
mkdirSync(folder, {recursive: true});

/** Pages that need more than an address: name, options of the server, and what to do. */
const states = [
  ['reconcile-open', {hash: '#/controllers/webapp/object?key=shop%2Fcheckout'}, async (session, page) => {
    await page.locator('.reconciles summary').last().click();
    await page.waitForSelector('.diff');
    await page.getByRole('button', {name: 'Reconcile now'}).click();
    await session.sees('.actions [role=status]', 'Queued');
    await page.locator('.diff').first().scrollIntoViewIfNeeded();
  }],
  ['token', {server: {token: 'right'}}, (session, page) => page.waitForSelector('#token')],
  ['forbidden', {server: {token: 'right', forbidden: 'viewer'}}, async (session, page) => {
    await page.fill('#token', 'viewer');
    await page.keyboard.press('Enter');
    await session.sees('main', 'Not permitted');
  }],
  ['lost', {}, async (session) => {
    await session.sees('.attention', 'shop/checkout');
    await session.server.stop();
    await session.sees('#connection', 'Not connected since');
  }],
  ['follower', {server: {follower: true}}, (session) => session.sees('#header', 'stands by')],
  ['not-ready', {}, async (session) => {
    Object.assign(session.server.state.operator, {ready: false, problems: ['caches: secrets in shop is forbidden',
      'definitions: the CRD certificates.pki.example.com is missing']});
    await session.sees('#header', '2 problems');
  }],
];

const all = [
  ...pages.map(([name, hash]) => [name, {hash}, async () => {}]),
  ...states,
].filter(([name]) => names.length === 0 || names.includes(name));

const browser = await launch();
let failed = false;
for (const width of [360, 1440]) {
  for (const colorScheme of ['light', 'dark']) {
    for (const [name, options, act] of all) {
      const session = await Session.open(browser, {...options,
        page: {colorScheme, viewport: {width, height: width === 360 ? 740 : 900}}});
      await session.loaded();
      await session.page.waitForFunction(() => document.getElementById('token')
        || document.getElementById('connection')?.textContent.includes('live'));
      await act(session, session.page);
      // The beginning of the page; a detail is where the browser scrolled to.
      const height = await session.page.evaluate(() => document.documentElement.scrollHeight);
      await session.page.screenshot({path: join(folder, `${name}-${width}-${colorScheme}.png`),
        ...(name !== 'reconcile-open' && {fullPage: true, clip: {x: 0, y: 0, width, height: Math.min(height, 1400)}})});
      const problems = await session.close();
      if (problems.length > 0) {
        console.error(`${name}: ${problems.join('\n')}`);
        failed = true;
      }
    }
  }
}
await browser.close();
process.exitCode = failed ? 1 : 0;
