import { z } from 'zod';
import { addUser, listUsers, newPassword, setRole } from '#commands/users.ts';
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

export const userVerbs = [userAdd, userList, userPassword, userRole];
