// SPDX-License-Identifier: Apache-2.0
// Stream: reads debug/v1/stream with fetch, because EventSource cannot send a bearer token, and connects again.
// @ts-check

import {ApiError} from './client.js';

/** A parser of the format text/event-stream: events by name, with their data. */
export class EventParser {
  constructor() {
    this.rest = '';
    this.name = '';
    /** @type {string[]} */
    this.data = [];
  }

  /** @param {string} text @returns {{name: string, data: string}[]} the events that `text` completes */
  push(text) {
    this.rest += text;
    // A "\r" at the end can be the first half of a line end.
    const complete = /** @type {RegExpExecArray} */ (/^(?:.*(?:\n|\r\n|\r(?=.)))?/s.exec(this.rest))[0];
    this.rest = this.rest.slice(complete.length);
    const lines = complete.split(/\r\n|\n|\r/);
    lines.pop();
    const events = [];
    for (const line of lines) {
      if (line === '') {
        if (this.data.length > 0) events.push({name: this.name || 'message', data: this.data.join('\n')});
        this.name = '';
        this.data = [];
        continue;
      }
      const [, field, value] = /** @type {RegExpExecArray} */ (/^([^:]*)(?::? ?)(.*)$/s.exec(line));
      if (field === 'event') this.name = value;
      if (field === 'data') this.data.push(value);
    }
    return events;
  }
}

/**
 * `connecting`: before the first response. `live`: events arrive. `limited`: the operator responds, but does not serve
 * the stream. `lost`: no connection. `stopped`: not wanted, for example while the page is hidden.
 * @typedef {'connecting' | 'live' | 'limited' | 'lost' | 'stopped'} StreamState
 */

export class Stream {
  /** Without any byte for this time, the connection is lost: `controllers` arrives each second. In milliseconds. */
  static silence = 10000;
  static maxDelay = 30000;
  /** The operator ends a stream that is older as planned, so that the token is reviewed again. In milliseconds. */
  static planned = 60000;

  /**
   * @param {import('./client.js').Client} client
   * @param {(name: string, data: any) => void} onEvent
   * @param {() => void} onState called after each change of the state
   */
  constructor(client, onEvent, onState) {
    this.client = client;
    this.onEvent = onEvent;
    this.onState = onState;
    /** @type {StreamState} */
    this.state = 'stopped';
    this.detail = '';
    this.failures = 0;
    this.retryAt = 0;
    /** The time since which the state is `lost` or `limited`. */
    this.since = 0;
    /** @type {AbortController | null} */
    this.abort = null;
    this.timer = 0;
  }

  /** Connects now, unless it is connected. */
  start() {
    if (this.abort) return;
    clearTimeout(this.timer);
    this.retryAt = 0;
    if (this.state === 'stopped') this.setState('connecting');
    this.connect();
  }

  stop() {
    clearTimeout(this.timer);
    this.retryAt = 0;
    this.abort?.abort();
    this.abort = null;
    this.failures = 0;
    this.setState('stopped');
  }

  /** @param {StreamState} state @param {string} [detail] */
  setState(state, detail = '') {
    const wasDown = this.state === 'lost' || this.state === 'limited';
    if ((state === 'lost' || state === 'limited') && !wasDown) this.since = Date.now();
    this.state = state;
    this.detail = detail;
    this.onState();
  }

  async connect() {
    const abort = new AbortController();
    this.abort = abort;
    let watchdog = 0;
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = window.setTimeout(() => abort.abort(), Stream.silence);
    };
    try {
      watch();
      const response = await this.client.send('GET', 'stream', {}, abort.signal);
      const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
      const decoder = new TextDecoder();
      const parser = new EventParser();
      if (this.abort === abort) this.setState('live');
      const begun = Date.now();
      for (;;) {
        const {done, value} = await reader.read();
        if (done && this.abort === abort && Date.now() - begun > Stream.planned) return void this.connect();
        if (done || this.abort !== abort) break;
        watch();
        for (const event of parser.push(decoder.decode(value, {stream: true}))) this.deliver(event);
      }
      this.failed(abort, new ApiError(0, 'The operator closed the connection.'));
    } catch (error) {
      this.failed(abort, error instanceof ApiError ? error
        : new ApiError(0, abort.signal.aborted ? 'The operator does not respond.' : 'The connection was interrupted.'));
    } finally {
      clearTimeout(watchdog);
    }
  }

  /** @param {{name: string, data: string}} event */
  deliver(event) {
    let data;
    try {
      data = JSON.parse(event.data);
    } catch {
      return;  // An event of a later version of the API, which this page does not use.
    }
    this.failures = 0;
    this.onEvent(event.name, data);
  }

  /** @param {AbortController} abort @param {ApiError} error */
  failed(abort, error) {
    if (this.abort !== abort) return;
    this.abort = null;
    if (error.status === 401) return this.setState('stopped');  // until there is a token
    const delay = Math.min(1000 * 2 ** this.failures++, Stream.maxDelay) * (0.8 + 0.4 * Math.random());
    this.retryAt = Date.now() + delay;
    this.timer = window.setTimeout(() => this.start(), delay);
    this.setState(error.status === 0 ? 'lost' : 'limited', error.message);
  }
}
