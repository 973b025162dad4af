import type { Role } from '#domain/user/roles.ts';

export interface DemoPerson {
  readonly login: string;
  readonly role: Role;
  readonly password: string;
}

/** Requests by people of the demonstration. Each answers with the JSON of the answer, and fails if the interface refuses. */
export interface Client {
  readonly send: (login: string, path: string, body: object) => Promise<DemoAnswer>;
  readonly read: (login: string, path: string) => Promise<unknown>;
  readonly remove: (login: string, path: string) => Promise<void>;
  readonly upload: (login: string, name: string, bytes: Uint8Array<ArrayBuffer>) => Promise<DemoAnswer>;
}

export interface DemoAnswer {
  readonly id: number;
  readonly source_url?: string;
}

/** Paths begin with a namespace, or below `cms/v2` without one. */
export function clientOf(address: string, people: readonly DemoPerson[]): Client {
  const call = async (login: string, path: string, init: RequestInit): Promise<unknown> => {
    const { password = '' } = people.find((person) => person.login === login) ?? {};
    const authorization = `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`;
    const answer = await fetch(`${address}/?rest_route=/${/\/v\d/.test(path) ? path : `cms/v2/${path}`}`, {
      ...init,
      headers: { ...init.headers, ...(login === '' ? {} : { authorization }) },
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the interface refused ${path} of the demonstration: ${text}`);
    return JSON.parse(text);
  };
  const sent = (login: string, path: string, headers: Record<string, string>, body: string | Uint8Array<ArrayBuffer>) =>
    call(login, path, { method: 'POST', headers, body }) as Promise<DemoAnswer>;
  return {
    send: (login, path, body) => sent(login, path, { 'content-type': 'application/json' }, JSON.stringify(body)),
    read: (login, path) => call(login, path, { method: 'GET' }),
    remove: async (login, path) => {
      await call(login, path, { method: 'DELETE' });
    },
    upload: (login, name, bytes) =>
      sent(
        login,
        'media',
        { 'content-type': 'image/png', 'content-disposition': `attachment; filename="${name}"` },
        bytes,
      ),
  };
}
