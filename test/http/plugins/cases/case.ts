import { callPlugin } from '../../../support/plugins.ts';
import type { As, Site } from '../../../support/site.ts';

/** One route, as the walk through all of them goes over it; one that stores something says where else that is seen. */
export type Case = Reading | Storing;

interface Asked {
  readonly route: string;
  /** A request to it, where its pattern is none. */
  readonly request?: string;
  /** Parameters as the index describes them; none by default. */
  readonly args?: Readonly<Record<string, unknown>>;
  /** The lowest role that may; `signed`: no role does. */
  readonly lowest: As | 'signed';
  /** A good body (of a GET: query), as far as one is needed. */
  readonly body?: Readonly<Record<string, unknown>>;
  /** What is answered when a parameter that has to be there is not. */
  readonly missing?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** What is answered to a parameter of the wrong type. */
  readonly wrong?: { readonly body: Readonly<Record<string, unknown>>; readonly answer: Refused };
  /** Something real, which another call can see. */
  readonly effect: (site: Site) => Promise<void>;
}

interface Reading extends Asked {
  readonly stores: false;
}

interface Storing extends Asked {
  readonly stores: true;
  /** A place beside the route where a person or a client sees what it stored. Runs after `effect`. */
  readonly seen: (site: Site) => Promise<void>;
}

/** Status and code, or the answer to a service. */
export type Refused = readonly [number, string];

export const missing: Refused = [400, 'rest_missing_callback_param'];
export const invalid: Refused = [400, 'rest_invalid_param'];
export const noData: Refused = [400, 'data_invalid'];

/** What a page for people says to an administrator, and its status. */
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
