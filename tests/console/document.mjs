// SPDX-License-Identifier: Apache-2.0
// The OpenAPI document of the debug API: checks values and parameters against it and writes its types for TypeScript.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {fileURLToPath} from 'node:url';

export const here = dirname(fileURLToPath(import.meta.url));
export const root = join(here, '../..');
export const document = JSON.parse(readFileSync(join(root, 'src/manager/debug/debug_v1.json'), 'utf8'));

/** Members of a schema that check() understands; any other one is an error, so that nothing is left unchecked. */
const known = new Set(['type', 'properties', 'required', 'additionalProperties', 'items', 'enum', 'format', '$ref',
  'description', 'default']);
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

const typeOf = (value) => value === null ? 'null' : Array.isArray(value) ? 'array'
  : Number.isInteger(value) ? 'integer' : typeof value;

function resolve(schema) {
  if (!schema.$ref) return schema;
  const name = schema.$ref.replace('#/components/schemas/', '');
  if (!document.components.schemas[name]) throw new Error(`the document has no schema ${schema.$ref}`);
  return document.components.schemas[name];
}

/** Returns the errors of `value`, each with its place. */
export function check(reference, value, place = '') {
  const schema = resolve(reference);
  const errors = Object.keys(schema).filter((name) => !known.has(name))
    .map((name) => `${place}: unknown keyword ${name}`);
  const actual = typeOf(value);
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.includes(actual) && !(actual === 'integer' && types.includes('number'))) {
    return [...errors, `${place}: ${actual} instead of ${types.join(' or ')}`];
  }
  if (schema.enum && !schema.enum.includes(value)) errors.push(`${place}: ${JSON.stringify(value)} is not in the enum`);
  if (schema.format === 'date-time' && !dateTime.test(value)) errors.push(`${place}: ${value} is no time`);
  if (schema.format && schema.format !== 'date-time') errors.push(`${place}: unknown format ${schema.format}`);
  if (actual === 'array' && schema.items) {
    value.forEach((item, index) => errors.push(...check(schema.items, item, `${place}/${index}`)));
  }
  if (actual === 'object') {
    for (const name of schema.required ?? []) {
      if (value[name] === undefined) errors.push(`${place}: ${name} is missing`);
    }
    for (const [name, member] of Object.entries(value)) {
      const inner = schema.properties?.[name] ?? schema.additionalProperties;
      if (inner === false) errors.push(`${place}: ${name} is not in the document`);
      else if (typeof inner === 'object') errors.push(...check(inner, member, `${place}/${name}`));
    }
  }
  return errors;
}

/** Finds the operation for a request: {path, operation, inPath}, or null. */
export function operationOf(method, pathname) {
  for (const [path, item] of Object.entries(document.paths)) {
    const match = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(pathname);
    const operation = item[method.toLowerCase()];
    if (match && operation) return {path, operation, inPath: {...match.groups}};
  }
  return null;
}

/** Returns the parameters of a query with their types, and the first error. */
export function parametersOf(operation, query) {
  const values = {};
  const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  for (const name of query.keys()) {
    if (!declared.some((parameter) => parameter.name === name)) return {error: `there is no parameter ${name}`};
  }
  for (const {name, required, schema, description = ''} of declared) {
    const text = query.get(name);
    if (text === null) {
      if (required) return {error: `the parameter ${name} is missing`};
      values[name] = schema.default;
      continue;
    }
    let value = text;
    if (schema.type === 'boolean') value = text === 'true' ? true : text === 'false' ? false : text;
    if (schema.type === 'integer' && /^-?\d+$/.test(text)) value = Number(text);
    const range = / (\d+) to (\d+)\.$/.exec(description);
    const isOutside = range && (value < Number(range[1]) || value > Number(range[2]));
    if (check(schema, value).length > 0 || isOutside) return {error: `the parameter ${name} is invalid: ${text}`};
    values[name] = value;
  }
  return {values};
}

/** Returns the errors of a response: its status must be documented, and its body must match. */
export function checkResponse(operation, status, body) {
  const response = operation.responses[status];
  if (!response) return [`the document has no status ${status}`];
  const schema = response.content?.['application/json']?.schema;
  return schema ? check(schema, body) : [];
}

/** The schema of the data of an event of the stream. */
export function eventSchema(name) {
  if (name === 'gap') {
    const properties = {dropped: {type: 'integer'}};
    return {type: 'object', properties, required: ['dropped'], additionalProperties: false};
  }
  const schema = {controllers: 'Controllers', reconcile: 'Reconcile', log: 'LogLine'}[name];
  if (!schema) throw new Error(`the document has no event ${name}`);
  return {$ref: `#/components/schemas/${schema}`};
}

// ---- types ----------------------------------------------------------------------------------------------------------

function typescript(schema) {
  if (schema.$ref) return schema.$ref.replace('#/components/schemas/', '');
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => typescript({type})).join(' | ');
  if (schema.type === 'array') return `(${typescript(schema.items)})[]`;
  if (schema.type !== 'object') return schema.type === 'integer' ? 'number' : schema.type;
  if (schema.additionalProperties) return `Record<string, ${typescript(schema.additionalProperties)}>`;
  const members = Object.entries(schema.properties).map(([name, member]) =>
    `${name}${schema.required?.includes(name) ? '' : '?'}: ${typescript(member)};`);
  return `{ ${members.join(' ')} }`;
}

/** Writes the types of the document into build/api.d.ts, which the type check of the console uses. */
export function writeTypes() {
  const types = Object.entries(document.components.schemas)
    .map(([name, schema]) => `  type ${name} = ${typescript(schema)};`);
  mkdirSync(join(here, 'build'), {recursive: true});
  writeFileSync(join(here, 'build/api.d.ts'), `declare namespace Api {\n${types.join('\n')}\n}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTypes();
