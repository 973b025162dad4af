import { z } from 'zod';
import {
  addUser,
  describeUsers,
  disable,
  endAccount,
  listPasswords,
  newPassword,
  revoke,
  setRole,
} from '#commands/users.ts';
import { refuse } from '#domain/kernel/refusal.ts';
import { roles } from '#domain/user/roles.ts';
import { defineVerb, write } from './verb.ts';

const login = z.string().min(1).describe('login name');
const role = z
  .enum(roles)
  .describe(`one of ${roles.join(', ')}; an auditor reads what administrators read, and changes nothing`);

const day = z
  .string()
  .refine((text) => isDay(text), 'is not a day such as 2026-12-31 (or, for user until, never)')
  .describe('last day on which the account of an auditor can be used, YYYY-MM-DD in the time zone of the site');

const userAdd = defineVerb({
  name: 'user add',
  summary: 'Creates an account and prints its first application password.',
  example: 'user add ada --role editor --name "Ada Lovelace" --email ada@example.org',
  positionals: ['login'],
  args: z.object({
    login,
    role,
    name: z.string().optional().describe('display name; default: the login'),
    email: z.string().optional().describe('mail address'),
    until: day.optional().describe('last day on which the credentials are taken, such as 2026-12-31; default: no end'),
  }),
  run: (store, args) => write(store, (session) => addUser(session, args)),
});

const userList = defineVerb({
  name: 'user list',
  isRead: true,
  summary: 'Lists the accounts.',
  example: 'user list --json',
  args: z.object({}),
  run: async (store) => describeUsers(store.reader),
});

const userPassword = defineVerb({
  name: 'user password',
  summary: 'Creates another application password; existing ones stay.',
  example: 'user password ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => newPassword(session, args.login)),
});

const userRole = defineVerb({
  name: 'user role',
  summary: 'Changes the role of an account.',
  example: 'user role ada administrator',
  positionals: ['login', 'role'],
  args: z.object({ login, role }),
  run: (store, args) => write(store, (session) => setRole(session, args.login, args.role)),
});

const userUntil = defineVerb({
  name: 'user until',
  summary: 'Sets the last day of the account of an auditor, or with "never" removes it.',
  example: 'user until hilda 2026-12-31',
  positionals: ['login', 'day'],
  args: z.object({ login, day: z.union([z.literal('never'), day]).describe('YYYY-MM-DD, or never') }),
  run: (store, args) =>
    write(store, (session) => endAccount(session, args.login, args.day === 'never' ? '' : args.day)),
});

const userPasswords = defineVerb({
  name: 'user passwords',
  isRead: true,
  summary: 'Lists the application passwords and tokens of an account: name, when created, until when, when last used.',
  example: 'user passwords ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: async (store, args) => listPasswords(store.reader, args.login, store.uses),
});

const userRevoke = defineVerb({
  name: 'user revoke',
  summary: 'Withdraws an application password or a token, or with --all every one of an account, at once.',
  example: 'user revoke ada 5b0c2b0e-6a4e-4c39-8a39-0f6b6a1d9e77',
  positionals: ['login', 'uuid'],
  args: z.object({
    login,
    uuid: z.array(z.string()).describe('id of the password, from `user passwords`'),
    all: z.boolean().optional().describe('every application password'),
  }),
  run: async (store, { login, uuid, all = false }) => {
    const [id] = uuid;
    if (uuid.length !== Number(!all)) return refuse('password_not_named', 'Name the uuid of one password, or --all.');
    return write(store, (session) => revoke(session, login, id ?? 'all'));
  },
});

const userDisable = defineVerb({
  name: 'user disable',
  summary: 'Disables an account until it is enabled again: its passwords do not work, and open feeds end.',
  example: 'user disable ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => disable(session, args.login, true)),
});

const userEnable = defineVerb({
  name: 'user enable',
  summary: 'Enables a disabled account again, with the same passwords.',
  example: 'user enable ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => disable(session, args.login, false)),
});

export const userVerbs = [
  ...[userAdd, userList, userPassword, userPasswords, userRevoke],
  ...[userDisable, userEnable, userRole, userUntil],
];

function isDay(text: string): boolean {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(`${text}T00:00:00Z`) : null;
  return at !== null && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);
}
