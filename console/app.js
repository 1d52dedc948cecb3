// SPDX-License-Identifier: Apache-2.0
// App: the state that all views share: the operator, the controllers with their rates, the connection and the token.
// @ts-check

import {ApiError, Client} from './client.js';
import {Stream} from './stream.js';

/**
 * A view is the content of the page for one address.
 * @typedef {object} View
 * @property {string} title
 * @property {() => import('./dom.js').Content} render
 * @property {Resource<any>[]} resources are loaded at the start and refreshed
 * @property {import('./dom.js').RowWindow} [rows]
 * @property {(name: string, data: any) => void} [event] called for each event of the stream
 * @property {() => void} [tick] called each second
 * @property {(parameters: URLSearchParams) => boolean} [navigate] applies a new address; false if it needs a new view
 */

/**
 * An answer of the API that is refreshed: soon after touch(), otherwise after a longer time.
 * @template T
 */
export class Resource {
  /**
   * @param {App} app
   * @param {() => {path: string, parameters?: import('./client.js').Parameters}} request
   * @param {{soonest?: number, latest?: number, onData?: (data: T) => void}} [options] seconds between two requests
   */
  constructor(app, request, {soonest = 2, latest = 15, onData} = {}) {
    this.app = app;
    this.request = request;
    this.onData = onData;
    this.soonest = soonest * 1000;
    this.latest = latest * 1000;
    /** @type {T | null} */
    this.data = null;
    /** @type {ApiError | null} */
    this.error = null;
    this.isTouched = true;
    this.lastBegin = -Infinity;
    this.lastDuration = 0;
    /** @type {AbortController | null} */
    this.abort = null;
  }

  /** Marks the data as outdated. */
  touch() {
    this.isTouched = true;
  }

  /** Refreshes the data if it is time. */
  tick() {
    if (this.abort) return;
    // A slow operator is not asked more often than it can respond.
    const soonest = Math.max(this.soonest, 10 * this.lastDuration);
    const latest = Math.max(soonest, this.app.stream.state === 'live' ? this.latest : Math.min(this.latest, 5000));
    const age = performance.now() - this.lastBegin;
    if (age >= latest || (this.isTouched && age >= soonest)) this.refresh();
  }

  /** Requests the data now. A request that is under way is given up, because its parameters can be old. */
  async refresh() {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.isTouched = false;
    this.lastBegin = performance.now();
    const {path, parameters} = this.request();
    try {
      const data = await this.app.client.get(path, parameters, abort.signal);
      if (abort !== this.abort) return;
      this.data = data;
      this.error = null;
      this.onData?.(data);
    } catch (error) {
      if (abort !== this.abort) return;
      this.error = error instanceof ApiError ? error : new ApiError(0, 'The response of the operator cannot be read.');
    }
    this.abort = null;
    this.lastDuration = performance.now() - this.lastBegin;
    this.app.invalidate();
  }

  stop() {
    this.abort?.abort();
    this.abort = null;
  }
}

/** Reconciles per second, from the counters of the last seconds. */
export class Rates {
  static span = 10000;

  constructor() {
    /** @type {Map<string, {at: number, all: number, errors: number}[]>} */
    this.samples = new Map();
  }

  /** @param {Api.Controller[]} controllers @param {number} at milliseconds */
  add(controllers, at) {
    for (const {name, reconciles} of controllers) {
      const errors = reconciles.error;
      const all = reconciles.success + reconciles.requeue + reconciles.requeueAfter + errors;
      let samples = this.samples.get(name);
      // Counters that decrease belong to a new process.
      if (!samples || all < samples[samples.length - 1].all) this.samples.set(name, samples = []);
      samples.push({at, all, errors});
      while (samples.length > 2 && samples[1].at <= at - Rates.span) samples.shift();
    }
  }

  /** @param {string} name @returns {{all?: number, errors?: number}} */
  of(name) {
    const samples = this.samples.get(name) ?? [];
    if (samples.length < 2) return {};
    const first = samples[0];
    const last = samples[samples.length - 1];
    const seconds = (last.at - first.at) / 1000;
    return seconds < 0.5 ? {} : {all: (last.all - first.all) / seconds, errors: (last.errors - first.errors) / seconds};
  }
}

export class App {
  /** The time between two updates of the page that events of the stream cause, in milliseconds. */
  static liveInterval = 250;
  static typingPause = 800;

  /** @param {() => void} draw */
  constructor(draw) {
    this.draw = draw;
    this.client = new Client((rejected) => this.askForToken(rejected));
    this.stream = new Stream(this.client, (name, data) => this.event(name, data), () => this.streamChanged());
    /** The clock of the operator minus that of the browser, in milliseconds. */
    this.skew = 0;
    /** @type {Resource<Api.Operator>} */
    this.operator = new Resource(this, () => ({path: 'operator'}), {
      latest: 5,
      onData: ({now}) => {
        const difference = Date.parse(now) - Date.now();
        // A small difference is the duration of the request.
        if (Math.abs(difference - this.skew) > 2000) this.skew = difference;
      },
    });
    /** @type {Resource<Api.Controllers>} */
    this.controllerList = new Resource(this, () => ({path: 'controllers'}), {
      latest: 30,
      onData: ({items}) => this.rates.add(items, performance.now()),
    });
    this.rates = new Rates();
    /** @type {View | null} */
    this.view = null;
    /** '' while no token is asked for @type {'' | 'missing' | 'rejected'} */
    this.tokenRequest = '';
    this.gaps = 0;
    this.lastDraw = 0;
    this.lastInput = -Infinity;
    this.frame = 0;
    this.timer = 0;
  }

  /** @returns {Api.Controller[]} */
  get controllers() {
    return this.controllerList.data?.items ?? [];
  }

  /** The time of the operator, in milliseconds. */
  now() {
    return Date.now() + this.skew;
  }

  start() {
    document.addEventListener('input', () => {
      this.lastInput = performance.now();
    });
    document.addEventListener('visibilitychange', () => {
      // A hidden page does not occupy one of the few streams of the operator.
      if (document.hidden) this.stream.stop();
      else this.resume();
    });
    window.addEventListener('online', () => this.resume());
    window.setInterval(() => this.tick(), 1000);
    this.resume();
  }

  resume() {
    if (document.hidden || this.tokenRequest) return;
    this.stream.start();
    for (const resource of this.resources()) resource.touch();
    this.tick();
  }

  resources() {
    return [this.operator, this.controllerList, ...(this.view?.resources ?? [])];
  }

  tick() {
    if (document.hidden) return;
    if (!this.tokenRequest) for (const resource of this.resources()) resource.tick();
    this.view?.tick?.();
    this.invalidate(true);
  }

  /** @param {View} view */
  show(view) {
    for (const resource of this.view?.resources ?? []) resource.stop();
    this.view = view;
    if (!this.tokenRequest) for (const resource of view.resources) resource.refresh();
    this.invalidate();
  }

  /** @param {string} name @param {any} data */
  event(name, data) {
    if (name === 'controllers') {
      this.controllerList.data = data;
      this.controllerList.error = null;
      this.controllerList.lastBegin = performance.now();
      this.rates.add(data.items, performance.now());
    }
    if (name === 'gap') this.gaps += data.dropped;
    this.view?.event?.(name, data);
    this.invalidate(true);
  }

  streamChanged() {
    if (this.stream.state === 'live') {
      // Events were missed before.
      for (const resource of this.resources()) resource.touch();
    }
    this.invalidate();
  }

  /** @param {boolean} rejected */
  askForToken(rejected) {
    this.tokenRequest = rejected ? 'rejected' : 'missing';
    if (this.stream.state !== 'stopped') this.stream.stop();
    this.invalidate();
  }

  /** @param {string} token */
  useToken(token) {
    this.client.token = token;
    this.tokenRequest = token ? '' : 'missing';
    if (token) {
      for (const resource of this.resources()) resource.refresh();
      this.resume();
    } else {
      this.stream.stop();
      for (const resource of this.resources()) {
        resource.stop();
        resource.data = null;
      }
    }
    this.invalidate();
  }

  /**
   * Draws the page in the next frame; for live updates less often, and not while the user types.
   * @param {boolean} [isLive]
   */
  invalidate(isLive = false) {
    if (this.frame) return;
    const request = () => {
      clearTimeout(this.timer);
      this.timer = 0;
      this.frame ||= requestAnimationFrame(() => {
        this.frame = 0;
        this.lastDraw = performance.now();
        this.draw();
      });
    };
    if (!isLive) return request();
    const now = performance.now();
    const wait = Math.max(this.lastDraw + App.liveInterval, this.lastInput + App.typingPause) - now;
    if (wait <= 0) request();
    else this.timer ||= window.setTimeout(request, wait);
  }
}
