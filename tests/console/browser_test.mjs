// SPDX-License-Identifier: Apache-2.0
// Tests of the console in headless Chromium.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {launch, pages, Session, until} from './browser.mjs';
import {html} from './fixture.mjs';

const stuck = '#/controllers/webapp/object?key=shop%2Fcheckout';
const paused = '#/controllers/certificate/object?key=shop%2Ftls';

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A test with a session, in which nothing may go wrong unnoticed. */
function browserTest(name, options, run) {
  test(name, {timeout: 240000}, async () => {
    const session = await Session.open(browser, options);
    let problems;
    try {
      await run(session, session.page);
    } finally {
      problems = await session.close();
    }
    assert.deepEqual(problems, []);
  });
}

const link = (page, name) => page.getByRole('link', {name, exact: true}).first();
const button = (page, name) => page.getByRole('button', {name, exact: true});

// ---- the purpose ----------------------------------------------------------------------------------------------------

browserTest('the cause of a stuck object and its writes are three clicks away', {}, async (session, page) => {
  let clicks = 0;
  const click = async (locator) => {
    clicks++;
    await locator.click();
  };
  await session.sees('.attention', 'apps/v1 Deployment shop/checkout is not ready');
  await click(link(page, 'shop/checkout'));
  await session.sees('#why', 'The last 7 reconciles failed');
  await session.sees('#why', 'Deployment shop/checkout is not ready');
  await session.sees('#next', 'retried in 41 s');
  await session.sees('.tree', 'MinimumReplicasUnavailable: 1 of 3 replicas are available');
  await session.sees('.tree', 'missing');
  await click(page.locator('.reconciles summary').filter({hasText: 'requeue after 30 s'}));
  await session.sees('.writes', '/spec/replicas');
  assert.deepEqual(await page.locator('.diff').first().locator('del, ins').allTextContents(), ['before: 2', 'after: 3',
    'before: "registry.example.com/checkout:2.7"', 'after: "registry.example.com/checkout:2.8"',
    'before: {"old":"value"}', 'after: false']);
  await session.sees('.details', '4bf92f3577b34da6a3ce929d0e0e4736');
  await session.sees('.details', 'and 2 more causes');
  await session.sees('.details', 'and 1 more write');
  await session.sees('.spans', 'deployments/{name} 1.2 s after 20 ms');
  await session.sees('.spans', 'the server responded with 503');
  await session.sees('.spans', 'and 3 more spans');
  assert.ok(clicks <= 3);
});

browserTest('the same with the keyboard only', {}, async (session, page) => {
  await session.sees('.attention', 'shop/checkout');
  let entered = 0;
  const enter = async () => {
    entered++;
    await page.keyboard.press('Enter');
  };
  const focused = () => page.evaluate(() => document.activeElement?.textContent);
  const tabTo = async (text, most = 30) => {
    for (let presses = 0; presses < most; presses++) {
      await page.keyboard.press('Tab');
      if (await focused() === text) {
        const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        assert.notEqual(outline, 'none', `${text} has no visible focus`);
        return;
      }
    }
    assert.fail(`${text} was not reached with ${most} times Tab`);
  };
  await tabTo('Skip to the content', 1);
  await enter();
  await tabTo('shop/checkout', 10);
  await enter();
  await session.sees('#why', 'Deployment shop/checkout is not ready');
  assert.equal(await page.evaluate(() => document.activeElement?.id), 'title', 'the new heading has the focus');
  await tabTo('Reconcile now', 5);
  await enter();
  await session.sees('.actions [role=status]', 'Queued');
  assert.equal(await focused(), 'Reconcile now');
  assert.ok(entered <= 3);
});

browserTest('the objects that need attention include those that fail without a condition', {}, async (session) => {
  const {objects, queues} = session.server.state;
  const of = (needs) => Object.entries(objects).flatMap(([name, all]) => [...all.values()].filter((object) =>
    needs(object, queues[name].get(object.key)?.failures ?? 0))).length;
  const wanted = of(({readiness}, failures) => readiness === 'notReady' || failures > 0);
  assert.ok(wanted > of(({readiness}) => readiness === 'notReady'));
  await session.sees('#attention', `Needs attention ${wanted}`);
});

// ---- actions --------------------------------------------------------------------------------------------------------

browserTest('an object is reconciled now, and the new reconcile appears', {hash: stuck}, async (session, page) => {
  await session.sees('#queue ~ *', 'is due later');
  await button(page, 'Reconcile now').click();
  await session.sees('.actions [role=status]', 'Queued: the object is reconciled');
  await session.sees('.reconciles li:first-child', 'success');
  assert.ok(session.server.requests.some(({method, path, query}) => method === 'POST'
    && path === '/debug/v1/controllers/webapp/reconcile' && query === '?key=shop%2Fcheckout'));
});

browserTest('an object is resumed and paused', {hash: paused}, async (session, page) => {
  await session.sees('.states', 'paused');
  await button(page, 'Resume').click();
  await session.sees('.actions [role=status]', 'Resumed');
  assert.equal(session.server.state.objects.certificate.get('shop/tls').paused, false);
  await button(page, 'Pause').click();
  await session.sees('.actions [role=status]', 'Paused: the annotation pintle.dev/paused is set');
  await session.sees('.states', 'paused');
  await session.sees('#next', 'until the annotation is removed');
});

browserTest('a missing permission is explained', {hash: paused, server: {readOnly: true}}, async (session, page) => {
  await button(page, 'Resume').click();
  await session.sees('.actions [role=status]',
    'The request failed. Not permitted: the operator may not patch certificates.pki.example.com');
});

browserTest('the log level is set, and new lines appear', {hash: '#/log'}, async (session, page) => {
  await page.waitForSelector('.log li');
  await page.getByLabel('Level of the operator').selectOption('debug');
  await button(page, 'Set level').click();
  await session.sees('.result', 'The operator logs at level debug');
  assert.equal(session.server.state.operator.logLevel, 'debug');
  session.server.log('warning', 'a new line', {controller: 'webapp'});
  await session.sees('.log', 'a new line');
  session.server.emit('gap', {dropped: 3});
  await session.sees('main', '3 events left out');
  await page.getByLabel('At least level').selectOption('error');
  await page.waitForFunction(() => document.querySelectorAll('.log li').length === 2);
  await page.getByLabel('Line contains').fill('old-db');
  await page.waitForFunction(() => document.querySelectorAll('.log li').length === 1);
  session.server.log('info', 'another line of old-db');
  session.server.log('error', 'an error of old-db');
  await session.sees('.log li:first-child', 'an error of old-db');
  assert.equal(await page.locator('.log li').count(), 2);
  assert.match(page.url(), /#\/log\?level=error&search=old-db$/);
});

// ---- token ----------------------------------------------------------------------------------------------------------

browserTest('a token is asked for, rejected, used and forgotten', {server: {token: 'right', forbidden: 'viewer'}},
  async (session, page) => {
    const enter = async (token) => {
      await page.getByLabel('Bearer token').fill(token);
      await page.keyboard.press('Enter');
    };
    await session.sees('h1', 'requires a bearer token');
    await page.waitForFunction(() => document.activeElement?.id === 'token');
    await enter('wrong');
    await session.sees('[role=alert]', 'The operator rejected the token.');
    await enter('viewer');
    await session.sees('[role=alert]',
      'Not permitted: the user system:serviceaccount:shop:viewer may not get the path /debug/v1/');
    await enter('right');
    await session.sees('.attention', 'shop/checkout');
    await session.sees('#connection', 'live');
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'title');
    await page.reload();
    await session.sees('.attention', 'shop/checkout');
    const stored = await page.evaluate(() => [Object.values(sessionStorage), localStorage.length, document.cookie]);
    assert.deepEqual(stored, [['right'], 0, '']);
    assert.ok(session.server.requests.every(({path, query}) => !`${path}${query}`.includes('right')));
    assert.ok(session.server.requests.filter(({path}) => !path.startsWith('/debug/')).every(({authorization}) =>
      !authorization));
    await button(page, 'Forget the token').click();
    await session.sees('h1', 'requires a bearer token');
    assert.equal(await page.evaluate(() => sessionStorage.length), 0);
  });

// ---- connection -----------------------------------------------------------------------------------------------------

browserTest('a lost connection is shown, and ends when the operator is back', {hash: stuck}, async (session, page) => {
  await session.sees('#connection', 'live');
  await session.sees('#why', 'Deployment');
  await session.server.stop();
  await session.sees('#connection', 'Not connected since');
  await session.sees('#header', 'Next attempt in');
  await button(page, 'Reconcile now').click();
  await session.sees('.actions [role=status]', 'The request failed. The operator cannot be reached.');
  assert.equal(await page.locator('.problem').count(), 0, 'the page shows its last data');
  session.server.state.objects.webapp.get('shop/checkout').next = 'Something new.';
  await session.server.start();
  await session.sees('#connection', 'live');
  await session.sees('#next', 'Something new.');
});

browserTest('without a stream, the page is refreshed by requests', {}, async (session, page) => {
  await session.sees('#connection', 'live');
  session.server.refuseStreams = true;
  for (const {response} of session.server.streams) response.end();
  await session.sees('#connection', 'No live events since');
  await session.sees('#connection', 'at most 8 streams');
  session.server.controller('tenant').workers = 77;
  await session.sees('.numbers', '0 of 77');
  // The page also connects by itself, so the click and its request are observed in one turn of its event loop.
  await page.waitForFunction(() => {
    const fetched = [];
    const {fetch} = window;
    window.fetch = (url, ...rest) => {
      fetched.push(String(url));
      return fetch(url, ...rest);
    };
    for (const each of document.querySelectorAll('#header button')) {
      if (each.textContent === 'Connect now') each.click();
    }
    window.fetch = fetch;
    return fetched.some((url) => url.includes('stream'));
  });
  session.server.refuseStreams = false;
  await session.sees('#connection', 'live');
});

browserTest('a hidden page does not occupy a stream', {}, async (session, page) => {
  await session.sees('#connection', 'live');
  const hide = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, 'hidden', {configurable: true, value});
    document.dispatchEvent(new Event('visibilitychange'));
  }, hidden);
  await hide(true);
  await until(() => session.server.streams.size === 0, 'the stream is closed');
  await hide(false);
  await until(() => session.server.streams.size === 1, 'the stream is open again');
  await session.sees('#connection', 'live');
});

browserTest('a follower shows who leads and links to its page', {hash: stuck, server: {follower: true}},
  async (session, page) => {
    await session.sees('#header', 'stands by');
    await session.sees('#header', 'its controllers do not reconcile');
    const leader = link(page, 'shop-operator-6d5f-leads');
    assert.equal(await leader.getAttribute('href'), `https://10.0.0.3:8443/${stuck}`);
    await session.go('#/caches');
    await page.waitForFunction(() => document.getElementById('leaderLink').href === 'https://10.0.0.3:8443/#/caches');
    await session.go(stuck);
    await button(page, 'Reconcile now').click();
    await session.sees('.actions [role=status]', 'send the request to the leader, shop-operator-6d5f-leads');
    session.server.state.operator.election.leaderPages = 'javascript:alert(1)';
    await session.sees('.leader', 'the address of its pages is unknown');
    assert.equal(await page.locator('#leaderLink').count(), 0);
  });

browserTest('the replicas are listed with their roles and links to their pages', {server: {follower: true}},
  async (session, page) => {
    const rows = page.locator('section[aria-labelledby=replicas] tbody tr');
    await session.sees('#replicas', 'Replicas 3');
    const texts = async () => (await rows.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    const [own, leading, other] = await texts();
    assert.match(own, /x7k2p this instance.*stands by.*ready.*node-0/);
    assert.match(leading, /leads.*leads.*ready.*node-1/);
    assert.match(other, /wq9zt.*stands by.*not ready.*node-2/);
    assert.equal(await rows.nth(0).locator('a').count(), 0);
    assert.match(await rows.nth(1).locator('a').getAttribute('href'), /^https:\/\/10\.0\.0\.3:8443\//);
    session.server.state.replicas = [{...session.server.state.replicas[1], pages: 'javascript:alert(1)'}];
    await session.sees('#replicas', 'Replicas 1');
    assert.equal(await rows.locator('a').count(), 0);
  });

browserTest('an operator without leader election has no list of replicas', {}, async (session, page) => {
  await session.sees('#replicas', 'Replicas 3');
  delete session.server.state.operator.election;
  await page.reload();
  await session.sees('main', 'without leader election');
  await session.sees('#controllers', 'Controllers');
  assert.equal(await page.locator('#replicas').count(), 0);
});

// ---- live lists -----------------------------------------------------------------------------------------------------

browserTest('rates are shown', {server: {rate: 40}}, async (session, page) => {
  const row = page.locator('.numbers tbody tr').filter({hasText: 'inventory'});
  await until(async () => {
    const rate = Number(await row.locator('td[data-label="Reconciles/s"]').innerText());
    return rate > 20 && rate < 60;
  }, 'a rate of about 40');
});

browserTest('open details hold a list, and focus and text survive updates', {hash: stuck, server: {rate: 20}},
  async (session, page) => {
    const first = page.locator('.reconciles > li').first();
    await first.locator('summary').click();
    await session.sees('.reconciles li:first-child .details', 'retry 7');
    session.server.reconcile('webapp', 'shop/checkout', [{source: 'timer', text: 'timer'}]);
    await session.sees('.held', '1 newer');
    await session.sees('.reconciles li:first-child', 'retry 7');
    assert.equal(await page.locator('.reconciles details[open]').count(), 1);
    await button(page, 'Close details and update').click();
    await session.sees('.reconciles li:first-child', 'timer');
    assert.equal(await page.locator('.reconciles details[open]').count(), 0);

    await session.go('#/queue?controller=inventory');
    const search = page.getByLabel('Key contains');
    await search.pressSequentially('item-0999');
    await session.sees('table', 'item-09999');
    await page.waitForFunction(() => document.querySelectorAll('tr[data-key]').length === 10);
    const before = session.server.requests.length;
    await until(() => session.server.requests.slice(before).filter(({path}) => path.endsWith('/queue')).length >= 2,
      'the queue is read again');
    assert.equal(await search.inputValue(), 'item-0999');
    assert.ok(await search.evaluate((input) => input === document.activeElement && input.selectionStart === 9));
  });

browserTest('a held list does not change', {hash: '#/reconciles', server: {rate: 10}}, async (session, page) => {
  await page.waitForFunction(() => document.querySelectorAll('.reconciles > li').length > 12);
  await page.getByLabel('Hold the list').check();
  const first = await session.text('.reconciles > li:first-child');
  await session.sees('.held', ' newer');
  assert.equal(await session.text('.reconciles > li:first-child'), first);
  await page.getByLabel('Hold the list').uncheck();
  await page.waitForFunction((text) => document.querySelector('.reconciles > li').innerText !== text, first);
  await page.getByLabel('Outcome').selectOption('error');
  await page.waitForFunction(() => [...document.querySelectorAll('.reconciles .state')].every(({textContent}) =>
    textContent.includes('error')));
});

browserTest('the longest queue of 10,000 keys scrolls without a stutter while events arrive',
  {hash: '#/queue?controller=inventory', server: {rate: 100}}, async (session, page) => {
    await session.sees('h1', '10,000 keys');
    assert.equal(await page.getByLabel('Controller').inputValue(), 'inventory');
    await button(page, 'Show 1,000').click();
    await session.sees('.more', 'The first 1,000 of 10,000 keys');
    await session.sees('#connection', 'live');
    // Other work of the machine can delay any attempt, but a slow page is slow in each.
    let longest = Infinity;
    for (let attempt = 0; attempt < 3 && longest >= 100; attempt++) {
      const measured = await page.evaluate(async () => {
        let task = 0;
        let frame = 0;
        let mostRows = 0;
        const observer = new PerformanceObserver((list) => {
          for (const {duration} of list.getEntries()) task = Math.max(task, duration);
        });
        observer.observe({type: 'longtask'});
        const height = document.documentElement.scrollHeight - innerHeight;
        await new Promise((resolve) => {
          const begin = performance.now();
          let last = begin;
          const step = (now) => {
            frame = Math.max(frame, now - last);
            last = now;
            mostRows = Math.max(mostRows, document.querySelectorAll('tr[data-key]').length);
            // Down and up again, then in jumps: 12 seconds.
            const part = (now - begin) / 12000;
            if (part >= 1) return resolve(undefined);
            const place = part < 0.4 ? part / 0.4 : part < 0.8 ? (0.8 - part) / 0.4 : (part * 7919) % 1;
            scrollTo(0, height * place);
            requestAnimationFrame(step);
          };
          requestAnimationFrame(step);
        });
        for (const {duration} of observer.takeRecords()) task = Math.max(task, duration);
        observer.disconnect();
        return {task, frame, mostRows, height};
      });
      console.log(`10,000 keys: longest task ${measured.task || '< 50'} ms, longest frame ${
        measured.frame.toFixed(0)} ms, ${measured.mostRows} rows in the document`);
      assert.ok(measured.height > 20000, 'the page is as long as its list');
      assert.ok(measured.mostRows < 120, 'only visible rows are in the document');
      longest = measured.task;
    }
    assert.ok(longest < 100, `a task of ${longest} ms`);
    // Nothing is missing where the user looks.
    await page.evaluate(() => scrollTo(0, 9000));
    await page.waitForFunction(() => [100, 400, 800].every((y) =>
      document.elementFromPoint(300, y)?.closest('tr[data-key]')));
  });

browserTest('a row with the focus stays while the page scrolls', {hash: '#/queue?controller=inventory'},
  async (session, page) => {
    await button(page, 'Show 1,000').click();
    await session.sees('.more', 'The first 1,000');
    await page.getByLabel('Hold the list').check();
    const focus = () => page.evaluate(() => document.activeElement.textContent);
    // The height of a row depends on the fonts of the machine, and that of the page changes while it is drawn.
    const scrollTo = (row) => page.waitForFunction((number) => {
      window.scrollTo(0, document.documentElement.scrollHeight * number / 1000 - window.innerHeight / 2);
      return document.querySelector(`tr[aria-rowindex="${number}"]`);
    }, row);
    await page.locator('tr[data-key] a').nth(3).focus();
    const above = await focus();
    await scrollTo(620);
    assert.equal(await focus(), above);
    assert.equal(await page.locator('tr[aria-rowindex="20"]').count(), 0);
    await scrollTo(2);
    assert.equal(await focus(), above);
    assert.equal(await page.locator(`tr[data-key="${above}"]`).count(), 1);
    await scrollTo(620);
    await page.locator('tr[aria-rowindex="620"] a').focus();
    const below = await focus();
    await scrollTo(2);
    assert.equal(await focus(), below);
    assert.equal(await page.locator('tr[aria-rowindex="600"]').count(), 0);
  });

// ---- navigation -----------------------------------------------------------------------------------------------------

browserTest('addresses are links, and the way back leads to the same place', {}, async (session, page) => {
  await session.sees('.attention', 'shop/checkout');
  await link(page, 'webapp').click();
  await page.getByLabel('Show').selectOption('notReady');
  await page.getByLabel('Key contains').fill('shop');
  await page.waitForFunction(() => document.querySelectorAll('tr[data-key]').length === 2);
  await page.evaluate(() => scrollTo(0, 60));
  await link(page, 'shop/checkout').click();
  await session.sees('#why', 'Deployment');
  await button(page, 'Children of shop/checkout-db').click();
  await session.sees('.tree', 'StatefulSet');
  await link(page, 'shop/checkout-db').click();
  await session.sees('h1', 'shop/checkout-db');
  await session.sees('.tree', 'WebApp');
  assert.match(await page.title(), /shop\/checkout-db/);
  await page.goBack();
  await session.sees('h1', 'WebApp shop/checkout');
  await page.goBack();
  await session.sees('h1', 'Controller webapp');
  assert.equal(await page.getByLabel('Key contains').inputValue(), 'shop');
  await page.waitForFunction(() => document.querySelectorAll('tr[data-key]').length === 2);
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll('tr[data-key]').length === 2);
  await link(page, 'Queue of this controller').click();
  await session.sees('table', 'retry 8');
  await page.getByLabel('State').selectOption('working');
  await session.sees('table', '15 s beyond its timeout');
  await link(page, 'Queue').click();
  await session.sees('h1', '10,000 keys');
});

browserTest('the page works below the prefix of a proxy',
  {server: {prefix: '/api/v1/namespaces/x/pods/y:8080/proxy/', token: 'right'}}, async (session, page) => {
    await page.getByLabel('Bearer token').fill('right');
    await button(page, 'Use the token').click();
    await session.sees('#connection', 'live');
    for (const [, hash] of pages) await session.go(hash);
  });

browserTest('texts with HTML are shown as texts', {hash: '#/controllers/webapp/object?key=shop%2Fmarkup'},
  async (session, page) => {
    await page.locator('.reconciles summary').click();
    await session.sees('.diff', html);
    for (const place of ['#why', '.tree', 'table', '.details']) await session.sees(place, html);
    for (const hash of ['#/', '#/controllers/webapp', '#/log']) {
      await session.go(hash);
      await session.sees('main', '<b>bold</b>');
    }
    assert.equal(await page.locator('img, main b').count(), 0);
    assert.doesNotMatch(await page.title(), /hacked/);
  });

// ---- every page -----------------------------------------------------------------------------------------------------

for (const [colorScheme, width] of [['light', 1440], ['dark', 1440], ['light', 360], ['dark', 360]]) {
  const title = `axe finds nothing on any page in ${colorScheme} of ${width} pixels`;
  browserTest(title, {page: {colorScheme, viewport: {width, height: 800}}}, async (session, page) => {
    const found = [];
    const look = async (name) => found.push(...(await session.violations()).map((text) => `${name}: ${text}`));
    for (const [name, hash] of pages) {
      await session.go(hash);
      if (name === 'object-stuck') {
        await page.locator('.reconciles summary').last().click();
        await page.waitForSelector('.diff');
        await button(page, 'Reconcile now').click();
        await session.sees('.actions [role=status]', 'Queued');
      }
      await look(name);
    }
    Object.assign(session.server.state.operator, {ready: false, problems: ['caches: secrets in shop: forbidden']});
    session.server.state.operator.election = {
      lease: 'a/b', leading: false, leader: 'c', leaderPages: 'http://10.0.0.3',
    };
    await session.go('#/');
    await session.sees('#header', 'forbidden');
    await look('follower that is not ready');
    await session.server.stop();
    await session.sees('#connection', 'Not connected since');
    await look('connection lost');
    session.server.options.token = 'right';
    await session.server.start();
    await session.sees('h1', 'requires a bearer token');
    await look('token');
    assert.deepEqual(found, []);
  });
}

for (const width of [360, 1440]) {
  browserTest(`no page of ${width} pixels scrolls sideways`, {page: {viewport: {width, height: 800}}},
    async (session, page) => {
      for (const [name, hash] of pages) {
        await session.go(hash);
        for (const summary of await page.locator('.reconciles summary').all()) await summary.click();
        const wide = await page.evaluate(() => [...document.querySelectorAll('body *')].filter((element) =>
          element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.skip, .only-read, thead')
          && getComputedStyle(element.parentElement).overflow === 'visible')
          .map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`));
        assert.deepEqual(wide, [], name);
        const isNarrow = await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth);
        assert.ok(isNarrow, `${name} scrolls sideways`);
        const narrow = await page.evaluate(() => [...document.querySelectorAll('td.wide > div')].filter((cell) =>
          cell.offsetWidth < 180).length);
        assert.equal(narrow, 0, `${name} has cells that are too narrow to read`);
      }
    });
}
