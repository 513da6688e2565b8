// A browser without scripts in front of the console: it keeps cookies, follows redirects and sends forms with their hidden fields.
import { env } from 'cloudflare:workers';
import { Hono } from 'hono';
import { expect } from 'vitest';
import type { Env } from '../../../../worker/env.ts';
import type { Upstream } from '../../../../worker/gateway/upstream/upstream.ts';
import { systemClock } from '../../../../worker/lib/clock.ts';
import type { ConsoleEnv } from '../../../../worker/routes/console/context.ts';
import { createConsoleRoutes } from '../../../../worker/routes/console/index.ts';

const ORIGIN = 'https://gateway.example';

/** Values of a form by field. */
type Fields = Readonly<Record<string, string | readonly string[]>>;

/** A page as the browser received it. */
export interface Visit {
  status: number;
  /** Address after redirects, without the origin. */
  path: string;
  html: string;
  headers: Headers;
}

/** Settings of a deployment. undefined removes one. */
type Settings = { [Name in Exclude<keyof Env, 'DB'>]?: Env[Name] | undefined };

/** The console of a deployment with its own admin token. */
export class ConsoleDeployment {
  /** Milliseconds since 1970, set by the test. */
  readonly clock = { now: Date.now() };
  readonly bindings: Settings & Pick<Env, 'DB'>;
  readonly #app = new Hono<ConsoleEnv>();

  constructor(settings: Settings = {}, upstream?: Upstream, db: D1Database = env.DB) {
    const provider: Upstream = upstream ?? {
      identity: 'console-tests',
      baseUrl: 'http://provider.example/cdapi',
      apiKey: env.SANDBOX_KEY,
      fetch: () => Promise.reject(new Error('unexpected call')),
    };
    const defaults = { ENVIRONMENT: 'production', PUBLIC_URL: ORIGIN, ADMIN_TOKEN: crypto.randomUUID() };
    this.bindings = { ...env, ...defaults, ...settings, DB: db };
    const services = {
      now: () => this.clock.now,
      sleep: systemClock.sleep,
      getUpstream: async () => provider,
      evictAnswers: () => {},
    };
    this.#app.use(async (c, next) => {
      c.set('requestId', crypto.randomUUID());
      await next();
    });
    this.#app.route('/console', createConsoleRoutes(services));
  }

  fetch(path: string, init: RequestInit): Promise<Response> {
    return Promise.resolve(this.#app.request(`${ORIGIN}${path}`, init, this.bindings));
  }

  /** Opens a browser that has not signed in. */
  openBrowser(): Browser {
    return new Browser(this);
  }

  /** Opens a browser and signs in. */
  async signIn(): Promise<Browser> {
    const browser = this.openBrowser();
    const { path } = await browser.signIn(this.bindings.ADMIN_TOKEN ?? '');
    expect(path).toBe('/console');
    return browser;
  }
}

/** Finds a form by the path of its action. @returns its action with the query of the page, and its hidden fields */
function findForm(html: string, path: string): { action: string; fields: [string, string][] } {
  const form = html
    .split('action="')
    .find((each) => each.startsWith(`${path}"`) || each.startsWith(`${path}?`));
  const [action = path] = /^[^"]+/.exec(form ?? '') ?? [];
  const hidden = form?.split('</form>')[0]?.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  const fields = [...(hidden ?? [])].map(([, name = '', value = '']): [string, string] => [name, value]);
  return { action: action.replaceAll('&amp;', '&'), fields };
}

/** Answers requests. */
interface Server {
  fetch: (path: string, init: RequestInit) => Promise<Response>;
}

/** Cookies and the present page of one person. */
export class Browser {
  /** By name. */
  readonly cookies = new Map<string, string>();
  /** Headers of every request, such as those of Cloudflare Access. */
  readonly headers: Record<string, string> = { 'cf-connecting-ip': crypto.randomUUID() };
  /** The present page. */
  html = '';
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers({ ...this.headers, ...Object.fromEntries(new Headers(init.headers)) });
    if (this.cookies.size > 0)
      headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await this.#server.fetch(path, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (/max-age=0/i.test(cookie)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return response;
  }

  async #visit(path: string, init: RequestInit = {}): Promise<Visit> {
    const response = await this.request(path, init);
    const location = response.headers.get('location');
    if (location !== null) return this.#visit(location);
    this.html = await response.text();
    return { status: response.status, path, html: this.html, headers: response.headers };
  }

  /** Opens a page. */
  open(path: string): Promise<Visit> {
    return this.#visit(path);
  }

  /**
   * Sends a form of the present page, with its hidden fields.
   * @param headers - that the browser adds
   */
  submit(path: string, fields: Fields = {}, headers: Readonly<Record<string, string>> = {}): Promise<Visit> {
    const given = Object.entries(fields).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const { action, fields: hidden } = findForm(this.html, path);
    const body = new URLSearchParams([...hidden, ...given]);
    return this.#visit(action, {
      method: 'POST',
      body,
      // As Chromium sends it under the referrer policy `no-referrer`.
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin', ...headers },
    });
  }

  /** Signs in with a token. */
  async signIn(token: string): Promise<Visit> {
    await this.open('/console/sign-in');
    return this.submit('/console/sign-in', { token });
  }
}
