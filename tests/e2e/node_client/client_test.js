// SPDX-License-Identifier: Apache-2.0
// @kubernetes/client-node against the server that KUBECONFIG names: lists, patches, watches, an informer.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as k8s from '@kubernetes/client-node';

const config = new k8s.KubeConfig();
config.loadFromDefault();
const core = config.makeApiClient(k8s.CoreV1Api);
const apps = config.makeApiClient(k8s.AppsV1Api);
const patience = { timeout: 30_000 };

const as = (type) => k8s.setHeaderOptions('Content-Type', type);
const configMap = (name, data = {}) => ({ metadata: { name }, data });
const refused = (code) => (error) => error.code === code;

async function freshNamespace(name) {
  await core.createNamespace({ body: { metadata: { name } } });
  return name;
}

test('lists, in pages and by selectors', patience, async () => {
  const namespace = await freshNamespace('lists');
  for (const name of ['a', 'b', 'c']) {
    await core.createNamespacedConfigMap({ namespace, body: configMap(name) });
  }
  const first = await core.listNamespacedConfigMap({ namespace, limit: 2 });
  assert.deepEqual(first.items.map((item) => item.metadata.name), ['a', 'b']);
  const rest = await core.listNamespacedConfigMap({ namespace, limit: 2, _continue: first.metadata._continue });
  assert.deepEqual(rest.items.map((item) => item.metadata.name), ['c']);
  const chosen = await core.listConfigMapForAllNamespaces({ fieldSelector: 'metadata.name=b' });
  assert.ok(chosen.items[0].metadata.creationTimestamp instanceof Date);
  assert.equal(chosen.items.length, 1);
});

test('creates, replaces and deletes, and hears why not', patience, async () => {
  const namespace = await freshNamespace('writes');
  const made = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { x: '1' }) });
  await assert.rejects(core.createNamespacedConfigMap({ namespace, body: configMap('a') }), refused(409));
  const body = { ...made, data: { x: '2' } };
  const replaced = await core.replaceNamespacedConfigMap({ namespace, name: 'a', body });
  assert.deepEqual(replaced.data, { x: '2' });
  await assert.rejects(core.replaceNamespacedConfigMap({ namespace, name: 'a', body }), refused(409));
  await core.deleteNamespacedConfigMap({ namespace, name: 'a', propagationPolicy: 'Background' });
  await assert.rejects(core.readNamespacedConfigMap({ namespace, name: 'a' }), refused(404));
});

test('patches in each way', patience, async () => {
  const namespace = await freshNamespace('patches');
  const labels = { app: 'web' };
  const containers = [{ name: 'main', image: 'nginx:1' }];
  await apps.createNamespacedDeployment({
    namespace,
    body: {
      metadata: { name: 'web' },
      spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
    },
  });
  const patch = (body, type) => {
    const force = type === k8s.PatchStrategy.ServerSideApply ? true : undefined;
    return apps.patchNamespacedDeployment({ namespace, name: 'web', body, fieldManager: 'node', force }, as(type));
  };
  const images = (deployment) => deployment.spec.template.spec.containers.map((one) => `${one.name}=${one.image}`).sort();
  const side = { spec: { template: { spec: { containers: [{ name: 'side', image: 'busybox' }] } } } };

  assert.deepEqual(images(await patch(side, k8s.PatchStrategy.StrategicMergePatch)), ['main=nginx:1', 'side=busybox']);
  assert.deepEqual(images(await patch(side, k8s.PatchStrategy.MergePatch)), ['side=busybox']);
  const scaled = await patch([{ op: 'replace', path: '/spec/replicas', value: 4 }], k8s.PatchStrategy.JsonPatch);
  assert.equal(scaled.spec.replicas, 4);
  const applied = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { replicas: 6 } };
  assert.equal((await patch(applied, k8s.PatchStrategy.ServerSideApply)).spec.replicas, 6);
  await assert.rejects(patch([{ op: 'replace', path: '/spec/replicas', value: -1 }], k8s.PatchStrategy.JsonPatch), refused(422));
});

test('reads and writes any kind', patience, async () => {
  const namespace = await freshNamespace('objects');
  const any = k8s.KubernetesObjectApi.makeApiClient(config);
  const metadata = { name: 'a', namespace };
  await any.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { x: '1' } });
  const patched = await any.patch({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { y: '2' } });
  assert.deepEqual(patched.data, { x: '1', y: '2' });
  const listed = await any.list('v1', 'ConfigMap', namespace);
  assert.equal(listed.items.length, 1);
});

test('watches from a version on', patience, async () => {
  const namespace = await freshNamespace('watches');
  const { metadata } = await core.listNamespacedConfigMap({ namespace });
  await core.createNamespacedConfigMap({ namespace, body: configMap('a') });
  const seen = [];
  let request;
  const ended = new Promise((resolve, reject) => {
    const hear = (type, object) => {
      seen.push(`${type} ${object.metadata.name}`);
      if (seen.length === 3) request.abort();
    };
    const watched = new k8s.Watch(config).watch(
      `/api/v1/namespaces/${namespace}/configmaps`, { resourceVersion: metadata.resourceVersion }, hear,
      (error) => (seen.length === 3 ? resolve() : reject(error ?? new Error(`ended after ${seen}`))));
    watched.then((controller) => { request = controller; }, reject);
  });
  await core.patchNamespacedConfigMap({ namespace, name: 'a', body: { data: { x: '1' } } }, as(k8s.PatchStrategy.MergePatch));
  await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
  await ended;
  assert.deepEqual(seen, ['ADDED a', 'MODIFIED a', 'DELETED a']);
});

test('an informer keeps up', patience, async () => {
  const namespace = await freshNamespace('informs');
  await core.createNamespacedConfigMap({ namespace, body: configMap('before') });
  const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`,
    () => core.listNamespacedConfigMap({ namespace }));
  const next = {};
  for (const verb of ['add', 'update', 'delete']) {
    next[verb] = (name) => new Promise((resolve) => {
      const hear = (object) => {
        if (object.metadata.name !== name) return;
        informer.off(verb, hear);
        resolve(object);
      };
      informer.on(verb, hear);
    });
  }
  const errors = [];
  informer.on('error', (error) => errors.push(error));

  const before = next.add('before');
  await informer.start();
  await before;
  const added = next.add('after');
  await core.createNamespacedConfigMap({ namespace, body: configMap('after') });
  await added;
  const updated = next.update('after');
  await core.patchNamespacedConfigMap({ namespace, name: 'after', body: { data: { x: '1' } } }, as(k8s.PatchStrategy.MergePatch));
  assert.deepEqual((await updated).data, { x: '1' });
  const deleted = next.delete('before');
  await core.deleteNamespacedConfigMap({ namespace, name: 'before' });
  await deleted;
  assert.deepEqual(informer.list().map((one) => one.metadata.name), ['after']);
  assert.deepEqual(errors, []);
  await informer.stop();
});
