// SPDX-License-Identifier: Apache-2.0
// Client: requests to the debug API, with the bearer token of this tab. All addresses are relative to the page.
// @ts-check

/** A request that failed. The message is a sentence for the user. */
export class ApiError extends Error {
  /** @param {number} status 0 if there is no response @param {string} message */
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** @typedef {Record<string, string | number | boolean | undefined>} Parameters */

export class Client {
  /** @param {(rejected: boolean) => void} onUnauthorized called for each response 401 */
  constructor(onUnauthorized) {
    this.onUnauthorized = onUnauthorized;
    // Several operators can have the same origin, below the prefixes of a proxy.
    this.storageKey = `pintle-token ${location.pathname}`;
  }

  get token() {
    return sessionStorage.getItem(this.storageKey) ?? '';
  }

  set token(token) {
    if (token) sessionStorage.setItem(this.storageKey, token);
    else sessionStorage.removeItem(this.storageKey);
  }

  /**
   * @param {string} path below debug/v1/
   * @param {Parameters} [parameters]
   * @param {AbortSignal} [signal]
   * @returns {Promise<any>}
   */
  async get(path, parameters, signal) {
    return (await this.send('GET', path, parameters, signal)).json();
  }

  /** @param {string} path @param {Parameters} parameters @returns {Promise<Api.Accepted>} */
  async post(path, parameters) {
    return (await this.send('POST', path, parameters)).json();
  }

  /**
   * Returns a response with a 2xx status, otherwise throws an ApiError.
   * @param {string} method
   * @param {string} path
   * @param {Parameters} [parameters]
   * @param {AbortSignal} [signal]
   */
  async send(method, path, parameters = {}, signal) {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(parameters)) {
      if (value !== undefined && value !== '') query.set(name, String(value));
    }
    const {token} = this;
    /** @type {Record<string, string>} */
    const headers = token ? {Authorization: `Bearer ${token}`} : {};
    let response;
    try {
      response = await fetch(`debug/v1/${path}${query.size ? `?${query}` : ''}`,
        {method, headers, signal, cache: 'no-store'});
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new ApiError(0, 'The operator cannot be reached.');
    }
    if (response.ok) return response;
    const message = await messageOf(response);
    if (response.status === 401 && token === this.token) this.onUnauthorized(token !== '');
    throw new ApiError(response.status, message);
  }
}

/** @param {Response} response */
async function messageOf(response) {
  let text = '';
  try {
    text = (await response.json()).message;
  } catch {
    // A proxy between the browser and the operator can respond with another body.
  }
  if (typeof text !== 'string' || !text) text = `the server returned HTTP ${response.status}`;
  if (response.status === 401) return `A bearer token is necessary: ${text}`;
  if (response.status === 403) return `Not permitted: ${text}`;
  return text;
}

/** The path of a controller. @param {string} controller @param {string} rest */
export const controllerPath = (controller, rest) => `controllers/${encodeURIComponent(controller)}/${rest}`;
