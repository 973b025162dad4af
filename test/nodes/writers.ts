import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';

/** The outcome of a marked write, as a client saw it. */
export interface Told {
  /** A text that occurs only in the content of this write. */
  readonly mark: string;
  /** `stored`: acknowledged; `refused`: reported as not stored; `unknown`: neither. */
  readonly outcome: 'stored' | 'refused' | 'unknown';
  readonly id: number | null;
  readonly status: number;
  readonly code: string | null;
}

export interface Writing {
  /** Addresses of the nodes. */
  readonly nodes: readonly string[];
  readonly authorization: string;
  /** Whether to continue. */
  readonly goesOn: () => boolean;
}

/** How often a client repeats a write of unknown outcome. */
const TRIES = 4;
/** Few titles, so that slugs collide. */
const TITLES = ['First', 'Second', 'Third'];

/** One client: writes to any node, one write after the other. */
export async function writeOn(writing: Writing): Promise<readonly Told[]> {
  const told: Told[] = [];
  while (writing.goesOn()) {
    const mark = randomUUID();
    const mine = told.filter(({ outcome }) => outcome === 'stored');
    const own = mine.length > 0 && randomInt(3) === 0 ? mine[randomInt(mine.length)]?.id : null;
    told.push(await write(writing, mark, own ?? null));
    await wait(randomInt(20));
  }
  return told;
}

/** Sends a write, and repeats it with the same key to any node while its outcome is unknown. */
async function write(writing: Writing, mark: string, id: number | null): Promise<Told> {
  const title = TITLES[randomInt(TITLES.length)] ?? '';
  const fields = id === null ? { title, content: mark, status: 'publish' } : { content: mark };
  let unknown = false;
  for (let tries = 1; ; tries++) {
    const { status, code, made } = await send(writing, { key: mark, id, fields });
    if (status >= 200 && status < 300) return { mark, outcome: 'stored', id: made, status, code };
    unknown ||= status === 0 || code === 'rest_outcome_unknown';
    // A refusal tells nothing about an earlier attempt, which may have succeeded.
    if (!unknown) return { mark, outcome: 'refused', id: null, status, code };
    if (tries === TRIES) return { mark, outcome: 'unknown', id: null, status, code };
    await wait(200);
  }
}

interface Request {
  readonly key: string;
  /** The post to change; null creates one. */
  readonly id: number | null;
  readonly fields: object;
}

async function send({ nodes, authorization }: Writing, { key, id, fields }: Request) {
  const url = `${nodes[randomInt(nodes.length)]}/cms-json/cms/v2/posts`;
  try {
    const response = await fetch(id === null ? url : `${url}/${id}`, {
      method: id === null ? 'POST' : 'PUT',
      headers: { authorization, 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(fields),
      signal: AbortSignal.timeout(30_000),
    });
    const body = (await response.json()) as { id?: number; code?: string };
    return { status: response.status, code: body.code ?? null, made: body.id ?? null };
  } catch {
    return { status: 0, code: null, made: null };
  }
}
