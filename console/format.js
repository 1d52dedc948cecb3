// SPDX-License-Identifier: Apache-2.0
// Numbers, times and kinds as texts.
// @ts-check

const integers = new Intl.NumberFormat('en');

/** @param {number} n */
export const count = (n) => integers.format(n);

/** @param {number} n @param {string} one @param {string} [many] */
export const plural = (n, one, many) => `${count(n)} ${n === 1 ? one : many ?? `${one}s`}`;

/** @param {number} bytes */
export function bytes(bytes) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; bytes >= 1024 && unit + 1 < units.length; unit++) bytes /= 1024;
  return `${unit > 0 && bytes < 100 ? bytes.toFixed(1) : Math.round(bytes)} ${units[unit]}`;
}

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 0.0995) return `${+(seconds * 1000).toPrecision(2)} ms`;
  if (seconds < 0.9995) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  return longDuration(seconds);
}

/** Two units at most. @param {number} seconds */
export function longDuration(seconds) {
  const all = Math.round(seconds);
  if (all < 60) return `${all} s`;
  const units = /** @type {[number, string][]} */ ([[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']]);
  const first = units.findIndex(([size]) => all >= size);
  const [size, name] = units[first];
  const [smallerSize, smallerName] = units[first + 1];
  const rest = Math.floor((all % size) / smallerSize);
  return `${Math.floor(all / size)} ${name}${rest ? ` ${rest} ${smallerName}` : ''}`;
}

/** @param {string} time @param {number} now milliseconds */
export function relative(time, now) {
  const seconds = (Date.parse(time) - now) / 1000;
  if (Number.isNaN(seconds)) return time;
  if (Math.abs(seconds) < 1) return 'now';
  return seconds > 0 ? `in ${longDuration(seconds)}` : `${longDuration(-seconds)} ago`;
}

/** The local time, with the date unless it is today. @param {string | number} time @param {number} now */
export function clock(time, now) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const text = [date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':');
  const isToday = date.toDateString() === new Date(now).toDateString();
  return isToday ? text : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${text}`;
}

/** @param {number | undefined} perSecond */
export function rate(perSecond) {
  if (perSecond === undefined) return '–';
  if (perSecond === 0) return '0';
  return perSecond < 0.1 ? '< 0.1' : perSecond < 100 ? perSecond.toFixed(1) : count(Math.round(perSecond));
}

/** For example "demo.pintle.dev/v1 Greeting". @param {Api.Kind} kind */
export const kindName = (kind) => `${kind.group ? `${kind.group}/` : ''}${kind.version} ${kind.kind}`;
