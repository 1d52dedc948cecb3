// SPDX-License-Identifier: Apache-2.0
// Opens pages of the console in headless Chromium, and collects everything that a page must not do.
import {existsSync, readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {chromium} from 'playwright-core';
import {MockServer} from './mock_server.mjs';

export const executable = process.env.CHROMIUM ?? '/usr/bin/chromium';
/** The folder of the console; the check of the tests sets it to a changed copy. */
const folder = process.env.CONSOLE_FOLDER;
const timeout = Number(process.env.CONSOLE_TIMEOUT ?? 30000);

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Every page of the console: name and fragment. */
export const pages = [
  ['overview', '#/'],
  ['controller', '#/controllers/webapp'],
  ['object-stuck', '#/controllers/webapp/object?key=shop%2Fcheckout'],
  ['object-deleting', '#/controllers/database/object?key=shop%2Fold-db'],
  ['object-paused', '#/controllers/certificate/object?key=shop%2Ftls'],
  ['object-missing', '#/controllers/webapp/object?key=shop%2Fnone'],
  ['queue', '#/queue?controller=inventory'],
  ['reconciles', '#/reconciles'],
  ['caches', '#/caches'],
  ['log', '#/log'],
  ['no-page', '#/none'],
];

export async function launch() {
  if (!existsSync(executable)) throw new Error(`${executable} does not exist; install the package chromium`);
  return chromium.launch({executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage']});
}

/** Waits until `condition` returns a true value, and returns that value. */
export async function until(condition, what) {
  const end = Date.now() + timeout;
  for (;;) {
    const value = await condition();
    if (value) return value;
    if (Date.now() > end) throw new Error(`timeout: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** A mock server and a page that shows it. close() returns everything that was wrong. */
export class Session {
  static async open(browser, {server = {}, page = {}, hash = '#/', wait = 'h1'} = {}) {
    const session = new Session();
    session.server = await new MockServer({...(folder && {folder}), ...server}).start();
    session.context = await browser.newContext({viewport: {width: 1440, height: 900}, ...page});
    session.context.setDefaultTimeout(timeout);
    session.page = await session.context.newPage();
    session.problems = [];
    session.page.on('pageerror', (error) => session.problems.push(`exception: ${error.stack}`));
    session.page.on('console', (message) => {
      // The browser reports each response that is no success; the tests expect some.
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
        session.problems.push(`console: ${message.text()}`);
      }
    });
    session.page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(session.server.url)) session.problems.push(`request to another origin or path: ${url}`);
    });
    await session.page.goto(session.server.url + hash);
    if (wait) await session.page.waitForSelector(wait);
    return session;
  }

  /** Shows another address of the page, as a link would, and waits for its data. */
  async go(hash) {
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    await this.loaded();
  }

  /** Waits until the page has its data. */
  async loaded() {
    await this.page.waitForSelector('#title');
    await this.page.waitForFunction(() => !/Loading …/.test(document.body.innerText));
  }

  text(selector) {
    return this.page.locator(selector).innerText();
  }

  /** Waits until the text of an element contains `text`. */
  async sees(selector, text) {
    try {
      await this.page.waitForFunction(([where, what]) => document.querySelector(where)?.textContent?.includes(what),
        [selector, text]);
    } catch {
      const found = await this.page.evaluate((where) => document.querySelector(where)?.textContent, selector);
      throw new Error(`${selector} does not contain "${text}", but "${found}"`);
    }
  }

  /** Returns the violations that axe-core finds. */
  async violations() {
    await this.page.evaluate(axeSource);
    return this.page.evaluate(async () => {
      const {violations} = await window.axe.run(document);
      return violations.flatMap(({id, nodes}) => nodes.map(({html, failureSummary}) =>
        `${id}: ${html.slice(0, 160)} ${failureSummary.replace(/\s+/g, ' ').slice(0, 240)}`));
    });
  }

  async close() {
    await this.context.close();
    await this.server.stop();
    return [...this.problems, ...this.server.errors.map((error) => `mock: ${error}`)];
  }
}
