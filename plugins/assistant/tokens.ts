import {
  isRefusal,
  type PluginArg,
  type PluginCall,
  type PluginReader,
  type PluginSession,
  type PluginToken,
  refuse,
  z,
} from 'palimpsest/plugin';
import { mayAct } from './area.ts';

const day = 24 * 60 * 60 * 1000;

export const tokenArgs: Readonly<Record<string, PluginArg>> = {
  name: { schema: z.string().min(1).max(200).describe('What the token is for.'), required: true },
  days: { schema: z.int().min(1).max(365).default(30).describe('Days for which it is good.') },
  publish: {
    schema: z.boolean().default(false).describe('Whether it may publish, and change what is published.'),
  },
  release: {
    schema: z.int().min(1).describe('The release in which what is written with it waits, until a person publishes it.'),
  },
};
export const tokenId: PluginArg = { schema: z.string().describe('Identifier of a token.') };

/** The caller's own tokens; for administrators, those of all users. */
export function listTokens(call: PluginCall<PluginReader>) {
  return openTokens(call).map(shown);
}

export function addToken({ model, user, params, now }: PluginCall<PluginSession>) {
  if (!mayAct(model)) return notSetUp;
  const until = now + Number(params['days']) * day;
  const into = params['release'] === undefined ? {} : { release: Number(params['release']) };
  // What waits is published by a person.
  const publishes = params['publish'] === true || 'release' in into;
  const made = model.issueToken(user, { name: String(params['name']), until, publishes, ...into });
  if (isRefusal(made)) return made;
  const issued = model.tokens(user).find(({ id }) => id === made.id);
  if (issued === undefined) throw new Error('the token that was made is not there');
  return { ...shown(issued), token: made.token };
}

export function withdrawToken(call: PluginCall<PluginSession>) {
  const one = openTokens(call).find(({ id }) => id === call.params['id']);
  if (one === undefined) return refuse('token_not_found', 'There is no such token.');
  call.model.withdrawToken(one.user, one.id);
  return { deleted: true, previous: shown(one) };
}

const unset = 'No program may act for users until toggle-mcp-plugin was set up.';
const notSetUp = refuse('assistant_not_set_up', unset, undefined, 403);

function openTokens({ model, user, may, now }: PluginCall<PluginReader>): readonly PluginToken[] {
  const tokens = model.tokens(may('admin') ? undefined : user);
  return tokens.filter(({ until }) => Date.parse(until) > now);
}

function shown({ id, user, name, created, until, publishes, release, lastUsed }: PluginToken) {
  const into = release === null ? {} : { release };
  return { id, user, name, created, until, publish: publishes, ...into, last_used: lastUsed };
}
