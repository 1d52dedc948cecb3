// SPDX-License-Identifier: Apache-2.0
// The state of an invented operator: several controllers, objects in each state, and a queue of 10,000 keys. The same
// numbers give the same state; times are relative to the start.

const webApp = {group: 'apps.example.com', version: 'v1', kind: 'WebApp'};
const database = {group: 'data.example.com', version: 'v1beta1', kind: 'Database'};
const certificate = {group: 'pki.example.com', version: 'v1', kind: 'Certificate'};
const tenant = {group: 'example.com', version: 'v1', kind: 'Tenant'};
const item = {group: 'inventory.example.com', version: 'v1', kind: 'Item'};
const deployment = {group: 'apps', version: 'v1', kind: 'Deployment'};
const service = {group: '', version: 'v1', kind: 'Service'};
const configMap = {group: '', version: 'v1', kind: 'ConfigMap'};
const secret = {group: '', version: 'v1', kind: 'Secret'};

export const html = '<img src="x" onerror="document.title=\'hacked\'"><b>bold</b>';

/** Pseudo-random numbers below 1. */
function random(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const name = (kind) => `${kind.group ? `${kind.group}/` : ''}${kind.version} ${kind.kind}`;

/** @param {{keys?: number, start?: number}} options */
export function fixture({keys = 10000, start = Date.now()} = {}) {
  const next = random(7);
  const at = (seconds) => new Date(start + seconds * 1000).toISOString();
  const state = {
    operator: {
      name: 'shop-operator', version: '1.4.2', pintleVersion: '0.9.0', instance: 'shop-operator-6d5f-x7k2p',
      startedAt: at(-93784), ready: true, problems: [], logLevel: 'info', memoryBytes: 48 << 20,
      history: {limit: 2000, records: 1460, bytes: 3 << 20},
      election: {
        lease: 'shop-system/shop-operator', leading: true, leader: 'shop-operator-6d5f-x7k2p', renewedAt: at(-1),
      },
    },
    controllers: [],
    objects: {},  // by controller: the objects by key
    queues: {},  // by controller: the entries by key
    caches: [],
    replicas: ['x7k2p', 'leads', 'wq9zt'].map((end, index) => ({
      name: `shop-operator-6d5f-${end}`, node: `node-${index}`, startedAt: at(-93790), ready: index < 2,
      deleting: false, leading: index === 0, thisInstance: index === 0,
      ...(index > 0 && {pages: `https://10.0.0.${index + 2}:8443`}),
    })),
    log: [],
    nextId: 5000,
    nextLine: 900,
  };

  const add = (controller, kind, workers, counters, lastError) => {
    state.controllers.push({
      name: controller, kind, cluster: '', workers, objects: 0, working: 0, waiting: 0, delayed: 0,
      reconciles: counters, handlers: {waitingChanges: 0, behindSeconds: 0}, ...(lastError && {lastError}),
    });
    state.objects[controller] = new Map();
    state.queues[controller] = new Map();
  };
  add('webapp', webApp, 4, {success: 18230, requeue: 41, requeueAfter: 902, error: 133},
    {key: 'shop/checkout', at: at(-37),
      message: 'apply v1 ConfigMap shop/checkout-settings: HTTP 422: data: Too long: must have at most 1048576 bytes'});
  add('database', database, 2, {success: 2210, requeue: 0, requeueAfter: 310, error: 12},
    {key: 'shop/old-db', message: 'backup: connection refused', at: at(-311)});
  add('certificate', certificate, 1, {success: 640, requeue: 3, requeueAfter: 80, error: 0});
  add('tenant', tenant, 1, {success: 77, requeue: 0, requeueAfter: 0, error: 0});
  add('inventory', item, 8, {success: 904112, requeue: 17, requeueAfter: 0, error: 55});
  state.controllers[2].handlers = {waitingChanges: 14, behindSeconds: 2.4};
  state.controllers[3].cluster = 'onboarding';

  const object = (controller, key, changes = {}) => {
    const {kind} = state.controllers.find((entry) => entry.name === controller);
    const value = {
      key, kind, exists: true, uid: `7f3b${key.length}a1-0c6e-4f7e-9d5b-${String(state.nextId).padStart(12, '0')}`,
      createdAt: at(-86400 * 3), finalizers: [], paused: false, generation: 1, observedGeneration: 1,
      readiness: 'ready',
      conditions: [{type: 'Ready', status: 'True', reason: 'AllReady', message: '', lastTransitionTime: at(-7200),
        observedGeneration: 1}],
      next: 'Nothing is due; the next change of the object or of its children causes a reconcile.',
      reconciles: [], owners: [], children: [], events: [], ...changes,
    };
    state.objects[controller].set(key, value);
    return value;
  };
  const reconcile = (controller, key, seconds, changes = {}) => ({
    id: 0, controller, key, begun: at(seconds), seconds: 0.012 + next() * 0.2, queuedSeconds: 0.002,
    outcome: 'success', causes: [], writes: [], ...changes,
  });
  const entry = (controller, key, changes) =>
    state.queues[controller].set(key,
      {key, state: 'waiting', due: at(0), priority: 0, failures: 0, causes: [], ...changes});
  const numbered = (n, digits) => String(n).padStart(digits, '0');

  // Ordinary objects.
  for (let n = 0; n < 340; n++) object('webapp', `team-${numbered(n % 20, 2)}/app-${numbered(n, 3)}`);
  for (let n = 0; n < 40; n++) object('database', `team-${numbered(n % 20, 2)}/db-${n}`);
  for (let n = 0; n < 25; n++) object('certificate', `team-${numbered(n % 20, 2)}/tls-${n}`);
  for (const key of ['acme', 'globex', 'initech']) object('tenant', key, {conditions: [], readiness: 'unknown'});

  // The stuck object: a child is not ready, and the reconcile fails.
  const error = state.controllers[0].lastError.message;
  const stuck = object('webapp', 'shop/checkout', {
    readiness: 'notReady', generation: 12, observedGeneration: 11, finalizers: ['webapps.apps.example.com/cleanup'],
    conditions: [
      {type: 'Ready', status: 'False', reason: 'DeploymentUnavailable', lastTransitionTime: at(-1930),
        observedGeneration: 11, message: 'Deployment shop/checkout has 1 of 3 replicas: image ' +
          'registry.example.com/checkout:2.8 cannot be pulled'},
      {type: 'ConfigApplied', status: 'False', reason: 'ApplyFailed', message: error, lastTransitionTime: at(-37)},
      {type: 'DatabaseReady', status: 'True', reason: 'Connected', message: '', lastTransitionTime: at(-72000)},
    ],
    why: `The last 7 reconciles failed (${error}), and its child apps/v1 Deployment shop/checkout is not ready: ` +
      'MinimumReplicasUnavailable.',
    next: 'The reconcile is retried in 41 s, after 7 failures in a row.',
    owners: [{kind: tenant, key: 'acme', readiness: 'unknown', controller: 'tenant'}],
    children: [
      {kind: service, key: 'shop/checkout', readiness: 'ready'},
      {kind: database, key: 'shop/checkout-db', readiness: 'ready', controller: 'database'},
      {kind: deployment, key: 'shop/checkout', readiness: 'notReady', reason: 'MinimumReplicasUnavailable',
        message: '1 of 3 replicas are available'},
      {kind: configMap, key: 'shop/checkout-settings', readiness: 'missing'},
    ],
    events: [
      {type: 'Warning', reason: 'ApplyFailed', message: error, at: at(-37), count: 7},
      {type: 'Normal', reason: 'Scaled', message: 'replicas changed from 2 to 3', at: at(-1930)},
    ],
  });
  for (let n = 0; n < 7; n++) {
    stuck.reconciles.push(reconcile('webapp', 'shop/checkout', -37 - (2 ** n) * 20, {
      outcome: 'error', error, traceId: `4bf92f3577b34da6a3ce929d0e0e47${30 + n}`,
      causes: [{source: 'retry', text: `retry ${7 - n}`, queuedAt: at(-60 - (2 ** n) * 20)}],
    }));
  }
  stuck.reconciles.push(reconcile('webapp', 'shop/checkout', -1930, {
    seconds: 1.31, queuedSeconds: 0.4, outcome: 'requeueAfter', delaySeconds: 30,
    traceId: '4bf92f3577b34da6a3ce929d0e0e4736', causesDropped: 2, writesDropped: 1, spansDropped: 3,
    spans: [
      {name: 'GET /api/v1/namespaces/{namespace}/secrets/{name}', afterSeconds: 0.002, seconds: 0.013},
      {name: 'PATCH /apis/apps/v1/namespaces/{namespace}/deployments/{name}', afterSeconds: 0.02, seconds: 1.2,
        error: 'the server responded with 503'},
    ],
    causes: [
      {source: 'change', queuedAt: at(-1931),
        text: 'change apps.example.com/v1 WebApp shop/checkout updated (version 88121: /spec/replicas, /spec/image)'},
      {source: 'owned', text: 'owned apps/v1 Deployment shop/checkout updated (version 88119: /status/readyReplicas)'},
    ],
    writes: [
      {verb: 'update', kind: deployment, key: 'shop/checkout', version: '88124', changesDropped: 3, changes: [
        {path: '/spec/replicas', before: '2', after: '3'},
        {path: '/spec/template/spec/containers/0/image', before: '"registry.example.com/checkout:2.7"',
          after: '"registry.example.com/checkout:2.8"'},
        {path: '/spec/template/metadata/annotations', before: '{"old":"value"}'},
        {path: '/spec/template/spec/hostNetwork', after: 'false'},
      ]},
      {verb: 'create', kind: configMap, key: 'shop/checkout-flags', version: '88125', changes: [
        {path: '', after: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"checkout-flags"}}'}]},
      {verb: 'update', kind: secret, key: 'shop/checkout-token', version: '88126', changes: [
        {path: '/data/token', before: '(hidden)', after: '(hidden)'}]},
      {verb: 'delete', kind: configMap, key: 'shop/checkout-old'},
    ],
  }));
  entry('webapp', 'shop/checkout', {state: 'delayed', due: at(41), failures: 7,
    causes: [{source: 'retry', text: 'retry 8', queuedAt: at(-37)}]});

  object('database', 'shop/checkout-db', {
    owners: [{kind: webApp, key: 'shop/checkout', readiness: 'notReady', reason: 'DeploymentUnavailable',
      controller: 'webapp'}],
    children: [{kind: {...deployment, kind: 'StatefulSet'}, key: 'shop/checkout-db', readiness: 'ready'}],
  });

  // A deleting object with a finalizer.
  object('database', 'shop/old-db', {
    deletingSince: at(-5400), finalizers: ['databases.data.example.com/backup'], readiness: 'notReady',
    conditions: [{type: 'Ready', status: 'False', reason: 'Deleting', message: 'waits for the last backup',
      lastTransitionTime: at(-5400)}],
    why: 'The object is being deleted since 1 h 30 min; the finalizer databases.data.example.com/backup of this ' +
      'operator is left, because its finalize function failed: backup: connection refused.',
    next: 'The finalize function is retried in 4 min 12 s.',
    reconciles: [reconcile('database', 'shop/old-db', -311, {outcome: 'error', error: 'backup: connection refused',
      causes: [{source: 'retry', text: 'retry 12'}]})],
    events: [{type: 'Warning', reason: 'BackupFailed', message: 'connection refused', at: at(-311), count: 12}],
  });
  entry('database', 'shop/old-db', {state: 'delayed', due: at(252), failures: 12,
    causes: [{source: 'retry', text: 'retry 13', queuedAt: at(-311)}]});

  // A paused object that is not ready, and one with HTML in its texts.
  object('certificate', 'shop/tls', {
    paused: true, readiness: 'notReady',
    conditions: [{type: 'Ready', status: 'False', reason: 'Expired', message: 'the certificate expired',
      lastTransitionTime: at(-900)}],
    why: 'The object is paused by the annotation pintle.dev/paused, and its condition Ready is False: Expired.',
    next: 'Nothing happens until the annotation is removed.',
  });
  object('webapp', 'shop/markup', {
    readiness: 'notReady',
    conditions: [{type: 'Ready', status: 'False', reason: 'Markup', message: html, lastTransitionTime: at(-60)}],
    why: `The condition Ready is False: ${html}`,
    events: [{type: 'Warning', reason: 'Markup', message: html, at: at(-60)}],
    children: [{kind: configMap, key: 'shop/markup', readiness: 'notReady', message: html}],
    reconciles: [reconcile('webapp', 'shop/markup', -60, {outcome: 'error', error: html,
      causes: [{source: 'change', text: html}],
      writes: [{verb: 'update', kind: configMap, key: 'shop/markup', changes: [{path: '/data/html', after: html}]}]})],
  });

  const recorded = Object.values(state.objects).flatMap((objects) => [...objects.values()].flatMap(
    ({reconciles}) => reconciles));
  recorded.sort((a, b) => a.begun.localeCompare(b.begun)).forEach((value) => {
    value.id = state.nextId++;
  });

  // Queues: a few keys for most controllers, and thousands for one.
  entry('webapp', 'team-00/app-000', {state: 'working', due: undefined, since: at(-75), overdueSeconds: 15,
    causes: [{source: 'resync', text: 'resync'}]});
  entry('webapp', 'team-01/app-001', {causes: [
    {source: 'owned', text: 'owned apps/v1 Deployment team-01/app-001 updated (version 7: /status)', queuedAt: at(-1)},
    {source: 'resync', text: 'resync'}]});
  for (let n = 0; n < keys; n++) {
    const key = `warehouse-${numbered(n % 40, 2)}/item-${numbered(n, 5)}`;
    const causes = [{source: 'change', queuedAt: at(-n / 100),
      text: `change inventory.example.com/v1 Item ${key} updated (version ${90000 + n}: /spec/amount)`}];
    if (n < 8) entry('inventory', key, {state: 'working', due: undefined, since: at(-0.2), causes});
    else if (n < keys * 0.8) entry('inventory', key, {due: at(-n / 100), causes});
    else {
      entry('inventory', key, {state: 'delayed', due: at(n / 10), failures: n % 1999 === 0 ? 2 : 0, priority: -100,
        causes});
    }
    object('inventory', key, n % 500 === 3 ? {readiness: 'notReady', why: 'The stock is negative.',
      conditions: [{type: 'Ready', status: 'False', reason: 'NegativeStock', message: `${-n} left`}]} : {});
  }

  const cache = (kind, title, is, objects, bytes, others = {}) => state.caches.push(
    {kind, title, cluster: '', state: is, objects, bytes, ...others});
  cache(webApp, 'webapps.apps.example.com', 'synced', 342, 911223, {silentSeconds: 4.2});
  cache(item, 'items.inventory.example.com', 'synced', keys, 7340032, {silentSeconds: 0.1});
  cache(deployment, 'deployments.apps in shop', 'synced', 388, 2202009, {silentSeconds: 184});
  cache(configMap, 'configmaps in shop', 'syncing', 120, 65536, {silentSeconds: 2,
    detail: 'The first list is under way: 120 objects in 3 s.'});
  cache(secret, 'secrets in shop', 'forbidden', 0, 0, {
    detail: 'The server forbids list secrets in shop. Apply the output of --print-rbac.'});
  cache(certificate, 'certificates.pki.example.com', 'waiting', 0, 0, {
    detail: 'The server does not serve this kind: its CRD is not installed.'});
  cache(tenant, 'tenants.example.com', 'inactive', 0, 0, {cluster: 'onboarding', detail: 'No object needs this kind.'});

  const line = (seconds, level, message, fields = {}) =>
    state.log.push({id: state.nextLine++, time: at(seconds), level, message, fields});
  for (let n = 0; n < 150; n++) {
    line(-900 + n * 5, n % 9 === 0 ? 'info' : 'debug', 'reconciled', {controller: 'webapp',
      key: `team-0${n % 9}/app-${n}`, outcome: 'success', took: 0.01 * (n % 7)});
  }
  line(-311, 'error', 'the reconcile failed',
    {controller: 'database', key: 'shop/old-db', error: 'backup: connection refused'});
  line(-120, 'warning', 'the server closed the watch', {resource: 'deployments.apps', retry: true});
  line(-37, 'error', 'the reconcile failed', {controller: 'webapp', key: 'shop/checkout', error, failures: 7});
  line(-20, 'info', html, {html});
  state.log.sort((a, b) => a.time.localeCompare(b.time)).forEach((entry, index) => {
    entry.id = state.nextLine - state.log.length + index;
  });
  return state;
}
