// SPDX-License-Identifier: Apache-2.0
// kubernetes-fluent-client against the server that KUBECONFIG names: apply, filters, patches, finalizers, watches, and
// a kind of a definition.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { GenericKind, K8s, RegisterKind, kind } from 'kubernetes-fluent-client';

const patience = { timeout: 30_000 };
const refused = (code) => (error) => error.status === code || error.code === code;

async function freshNamespace(name) {
  await K8s(kind.Namespace).Create({ metadata: { name } });
  return name;
}

test('applies, reads and deletes', patience, async () => {
  const namespace = await freshNamespace('applies');
  const applied = await K8s(kind.ConfigMap).Apply({ metadata: { name: 'a', namespace }, data: { x: '1' } });
  assert.equal(applied.metadata.managedFields[0].operation, 'Apply');
  await K8s(kind.ConfigMap).Apply({ metadata: { name: 'a', namespace }, data: { y: '2' } }, { force: true });
  assert.deepEqual((await K8s(kind.ConfigMap).InNamespace(namespace).Get('a')).data, { y: '2' });
  await K8s(kind.ConfigMap).InNamespace(namespace).Delete('a');
  await assert.rejects(K8s(kind.ConfigMap).InNamespace(namespace).Get('a'), refused(404));
});

test('creates once, and selects by labels and fields', patience, async () => {
  const namespace = await freshNamespace('selects');
  for (const name of ['a', 'b']) {
    await K8s(kind.Secret).Create({ metadata: { name, namespace, labels: { name } }, data: { x: 'MQ==' } });
  }
  await assert.rejects(K8s(kind.Secret).Create({ metadata: { name: 'a', namespace } }), refused(409));
  const names = ({ items }) => items.map((item) => item.metadata.name);
  assert.deepEqual(names(await K8s(kind.Secret).InNamespace(namespace).Get()), ['a', 'b']);
  assert.deepEqual(names(await K8s(kind.Secret).InNamespace(namespace).WithLabel('name', 'b').Get()), ['b']);
  assert.deepEqual(names(await K8s(kind.Secret).InNamespace(namespace).WithField('metadata.name', 'a').Get()), ['a']);
});

test('patches and scales', patience, async () => {
  const namespace = await freshNamespace('scales');
  const labels = { app: 'web' };
  await K8s(kind.Deployment).Apply({
    metadata: { name: 'web', namespace },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx:1' }] } },
    },
  });
  const web = K8s(kind.Deployment, { name: 'web', namespace });
  const patched = await web.Patch([{ op: 'replace', path: '/spec/template/spec/containers/0/image', value: 'nginx:2' }]);
  assert.equal(patched.spec.template.spec.containers[0].image, 'nginx:2');
  await K8s(kind.Deployment).InNamespace(namespace).Scale(4, 'web');
  assert.equal((await K8s(kind.Deployment).InNamespace(namespace).Get('web')).spec.replicas, 4);
});

test('adds and removes a finalizer', patience, async () => {
  const namespace = await freshNamespace('finalizes');
  await K8s(kind.ConfigMap).Apply({ metadata: { name: 'a', namespace }, data: {} });
  const maps = () => K8s(kind.ConfigMap).InNamespace(namespace);
  await maps().Finalize('add', 'example.com/held', 'a');
  assert.deepEqual((await maps().Get('a')).metadata.finalizers, ['example.com/held']);
  await maps().Finalize('remove', 'example.com/held', 'a');
  assert.equal((await maps().Get('a')).metadata.finalizers, undefined);
});

test('reads and writes a kind of a definition, and its status', patience, async () => {
  const namespace = await freshNamespace('defines');
  await K8s(kind.CustomResourceDefinition).Apply({
    metadata: { name: 'ships.sea.dev' },
    spec: {
      group: 'sea.dev',
      scope: 'Namespaced',
      names: { plural: 'ships', kind: 'Ship' },
      versions: [{
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: { type: 'object', properties: { masts: { type: 'integer' } } },
              status: { type: 'object', properties: { phase: { type: 'string' } } },
            },
          },
        },
      }],
    },
  });
  class Ship extends GenericKind {}
  RegisterKind(Ship, { group: 'sea.dev', version: 'v1', kind: 'Ship', plural: 'ships' });
  const isServed = async () => K8s(Ship).InNamespace(namespace).Get().then(() => true, () => false);
  while (!(await isServed())) await new Promise((resolve) => { setImmediate(resolve); });

  await K8s(Ship).Apply({ metadata: { name: 'a', namespace }, spec: { masts: 3 } });
  await K8s(Ship).PatchStatus({ metadata: { name: 'a', namespace }, spec: {}, status: { phase: 'Sailing' } });
  const ship = await K8s(Ship).InNamespace(namespace).Get('a');
  assert.deepEqual([ship.spec, ship.status], [{ masts: 3 }, { phase: 'Sailing' }]);
});

test('watches', patience, async () => {
  const namespace = await freshNamespace('watches');
  const seen = [];
  let hear;
  const next = (count) => new Promise((resolve) => {
    hear = () => { if (seen.length >= count) resolve(); };
    hear();
  });
  const watcher = K8s(kind.ConfigMap).InNamespace(namespace).Watch((map, phase) => {
    seen.push(`${phase} ${map.metadata.name}`);
    if (hear) hear();
  });
  await watcher.start();
  await K8s(kind.ConfigMap).Apply({ metadata: { name: 'a', namespace }, data: { x: '1' } });
  await next(1);
  await K8s(kind.ConfigMap).Apply({ metadata: { name: 'a', namespace }, data: { x: '2' } });
  await next(2);
  await K8s(kind.ConfigMap).InNamespace(namespace).Delete('a');
  await next(3);
  watcher.close();
  assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a']);
});
