import type { Site } from './site.ts';

export const APP = '6b8a1f6e-3a52-4d4f-9c1b-0f7d6f2b8f10';
/** What a program asks the page for. */
export const wanted = { app_name: 'Pocket', app_id: APP, success_url: 'pocket://signed-in?step=2' };

export type Sent = Readonly<Record<string, string>>;
export type AuthorizePage = ReturnType<typeof pageOf>;

/** The page of a site where users grant a program a password, as a browser without scripts uses it. */
export function pageOf(site: Site) {
  async function ask(
    query: Sent,
    { cookie = '', form, headers = {} }: { cookie?: string; form?: Sent; headers?: Sent } = {},
  ) {
    const response = await fetch(`http://127.0.0.1:${site.port}/authorize-application?${new URLSearchParams(query)}`, {
      redirect: 'manual',
      method: form === undefined ? 'GET' : 'POST',
      headers: { ...(cookie === '' ? {} : { cookie }), ...headers },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    const text = await response.text();
    const cookies = response.headers.getSetCookie();
    return {
      ...{ status: response.status, headers: response.headers, text, cookies },
      cookie: cookies.map((line) => line.split(';')[0] ?? '').join('; '),
      token: /name="token" value="([^"]*)"/.exec(text)?.[1] ?? '',
      location: response.headers.get('location') ?? '',
    };
  }

  async function logIn(query: Sent, login: string, password: string) {
    const { cookie, token } = await ask(query);
    const answer = await ask(query, { cookie, form: { do: 'login', token, login, password } });
    return { ...answer, cookie: `${cookie}; ${answer.cookie}`, token };
  }

  return { ask, logIn };
}
