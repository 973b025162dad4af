import { z } from 'zod';
import { addUser, disable, listPasswords, listUsers, newPassword, revoke, setRole } from '#commands/users.ts';
import { refuse } from '#domain/kernel/refusal.ts';
import { roles } from '#domain/user/roles.ts';
import { defineVerb, write } from './verb.ts';

const login = z.string().min(1).describe('login name');
const known = `one of ${roles.join(', ')}`;
const role = z.enum(roles, `has to be ${known}`).describe(known);

const userAdd = defineVerb({
  name: 'user add',
  summary: 'Makes an account and prints its first application password.',
  example: 'user add ada --role editor --name "Ada Lovelace" --email ada@example.org',
  positionals: ['login'],
  args: z.object({
    login,
    role,
    name: z.string().optional().describe('name that others see; default: the login'),
    email: z.string().optional().describe('mail address'),
  }),
  run: (store, args) => write(store, (session) => addUser(session, args)),
});

const userList = defineVerb({
  name: 'user list',
  summary: 'Lists the accounts.',
  example: 'user list --json',
  args: z.object({}),
  run: async (store) => listUsers(store.reader),
});

const userPassword = defineVerb({
  name: 'user password',
  summary: 'Makes one more application password; those from before stay.',
  example: 'user password ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => newPassword(session, args.login)),
});

const userRole = defineVerb({
  name: 'user role',
  summary: 'Gives an account another role.',
  example: 'user role ada administrator',
  positionals: ['login', 'role'],
  args: z.object({ login, role }),
  run: (store, args) => write(store, (session) => setRole(session, args.login, args.role)),
});

const userPasswords = defineVerb({
  name: 'user passwords',
  summary: 'Lists the application passwords of an account: name, when made, when used last.',
  example: 'user passwords ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: async (store, args) => listPasswords(store.reader, args.login, store.uses),
});

const userRevoke = defineVerb({
  name: 'user revoke',
  summary: 'Withdraws an application password, or with --all every one of an account, at once.',
  example: 'user revoke ada 5b0c2b0e-6a4e-4c39-8a39-0f6b6a1d9e77',
  positionals: ['login', 'uuid'],
  args: z.object({
    login,
    uuid: z.array(z.string()).describe('which one, as `user passwords` lists it'),
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
  summary: 'Closes an account until it is enabled again: no password opens it, and open feeds end.',
  example: 'user disable ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => disable(session, args.login, true)),
});

const userEnable = defineVerb({
  name: 'user enable',
  summary: 'Opens a disabled account again, with the passwords that it had.',
  example: 'user enable ada',
  positionals: ['login'],
  args: z.object({ login }),
  run: (store, args) => write(store, (session) => disable(session, args.login, false)),
});

export const userVerbs = [
  ...[userAdd, userList, userPassword, userPasswords, userRevoke],
  ...[userDisable, userEnable, userRole],
];
