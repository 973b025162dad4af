import { callPlugin } from '../../../support/plugins.ts';
import type { As, Site } from '../../../support/site.ts';

/** One route, as the walk through all routes tests it. */
export type Case = Reading | Storing;

interface Asked {
  readonly route: string;
  /** A request to the route, if its pattern is not a path. */
  readonly request?: string;
  /** Parameters as the index describes them; none by default. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The lowest role with access; `signed` if no role has. */
  readonly lowest: As | 'signed';
  /** A valid body (or query of a GET), if one is needed. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** The answer when a required parameter is missing. */
  readonly missing?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** The answer to a parameter of the wrong type. */
  readonly wrong?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** Checks an effect that another call can see. */
  readonly effect: (site: Site) => Promise<void>;
}

interface Reading extends Asked {
  readonly stores: false;
}

interface Storing extends Asked {
  readonly stores: true;
  /** Checks another place where the stored data is visible. Runs after `effect`. */
  readonly seen: (site: Site) => Promise<void>;
}

/** Status and code, or the message to a service. */
export type Refused = readonly [number, string];

export const missing: Refused = [400, 'rest_missing_callback_param'];
export const invalid: Refused = [400, 'rest_invalid_param'];
export const noData: Refused = [400, 'data_invalid'];

/** Requests a page, an audit page as an administrator. */
export async function pageAt(site: Site, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = path.startsWith('/cms-audit') ? { authorization: site.authorization('administrator') } : {};
  const response = await fetch(`http://127.0.0.1:${site.port}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

/** Calls a route of a plugin as an administrator. */
export const admin = (site: Site, request: string, body?: unknown) => callPlugin(site, 'administrator', request, body);
export const onboarding = '/host-easy-onboarding/v1';

export async function welcome(site: Site) {
  return (await admin(site, `GET ${onboarding}/get-welcome-status`)).body.data;
}

export async function website(site: Site) {
  return (await admin(site, 'GET /host-ai-assistant/v1/website')).body.data;
}

export async function cloud(site: Site) {
  return (await admin(site, 'GET /cache/v1/cloud')).body;
}

export async function settings(site: Site) {
  return (await admin(site, 'GET /host-tools-plugin/v1/get-settings')).body.data;
}
