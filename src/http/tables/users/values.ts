import { plainLine } from '#domain/term/text.ts';
import type { ProfileFields } from '#domain/user/commands.ts';
import type { Model } from '#projections/reading/model.ts';
import { trimText } from '#text/blank.ts';
import { webAddress } from '#text/web-address.ts';
import type { Call } from '../../engine/types.ts';
import { filteredTitle } from '../entries/body.ts';

/** Converts sent values of users to their stored form. Null stands for the empty text. */

type Member = Exclude<keyof ProfileFields, 'preferences'> | 'login';
type Write = (call: Call<Model>, name: string) => { readonly [M in Member]?: string };

/** One line without markup. */
export const userLine = (member: Member): Write => stored(member, plainLine);
export const userText = (member: Member): Write => stored(member, (text) => text);
export const loginOf: Write = (call, name) => (call.params[name] ? userText('login')(call, name) : {});
export const userAddress = (member: Member): Write => stored(member, webAddress);
export const noteOf = (member: Member): Write => stored(member, (text) => trimText(filteredTitle(text)));

export function rolesOf({ params, sent }: Call<Model>, name: string): { readonly roles?: readonly string[] } {
  return sent(name) === undefined ? {} : { roles: params[name] as readonly string[] };
}

function stored(member: Member, form: (text: string) => string): Write {
  return ({ params, sent }, name) => {
    const value = sent(name) === null ? '' : params[name];
    return typeof value === 'string' ? { [member]: form(value) } : {};
  };
}
