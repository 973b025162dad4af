import { z } from 'zod';
import { normaliseReferences } from '#blocks/references.ts';
import { stripMarkup } from '#blocks/strip.ts';
import type { Session } from '#commands/session.ts';
import { changeSettings } from '#commands/settings.ts';
import { type Refusal, refuse } from '#domain/kernel/refusal.ts';
import type { WantedSettings } from '#domain/site/decide.ts';
import { hasDefault, type SettingName } from '#domain/site/settings.ts';
import type { GivenSettings, Site } from '#domain/site/state.ts';
import { unknownEmail } from '#domain/user/naming.ts';
import { may } from '#domain/user/roles.ts';
import type { Model } from '#projections/reading/model.ts';
import { CONTENT } from '#site/addresses/interface.ts';
import { argDescriptor, type Descriptor } from '../../engine/descriptors.ts';
import type { Answer, Arg, Args, Call, Fault, Route } from '../../engine/types.ts';
import { recordSchema } from '../records/field.ts';
import { checkEmail } from '../users/fields.ts';

interface SettingField {
  readonly name: string;
  /** The member of the site; absent: it cannot be changed. */
  readonly member?: SettingName | 'email';
  readonly schema: z.ZodType;
  readonly title?: string;
  readonly description: string;
  readonly default?: unknown;
  readonly check?: (value: unknown) => Fault | null;
  readonly show?: (value: string) => string;
  readonly store?: (value: string) => string;
}

const text = z.string();
const whole = z.int();
const openness = z.enum(['open', 'closed']);
const marked = { show: asMarkup, store: asPlain };

/** Every setting, in the order in which they are shown. */
const settingFields: readonly SettingField[] = [
  field('title', 'name', text, { title: 'Title', description: 'Site title.', ...marked }),
  field('description', 'description', text, { title: 'Tagline', description: 'Site tagline.', ...marked }),
  field('url', undefined, text.meta({ format: 'uri' }), { description: 'Site URL.' }),
  field('email', 'email', text.meta({ format: 'email' }), {
    description: 'This address is used for admin purposes, like new user notification.',
    check: checkEmail,
    show: (email) => email || unknownEmail,
    store: (email) => (email === unknownEmail ? '' : email),
  }),
  field('timezone', 'timezone', text, {
    description: 'A city in the same timezone as you.',
    // An offset is not a name.
    show: (zone) => (/^[+-]/.test(zone) ? '' : zone),
  }),
  field('date_format', 'dateFormat', text, { description: 'A date format for all date strings.', store: stripMarkup }),
  field('time_format', 'timeFormat', text, { description: 'A time format for all time strings.', store: stripMarkup }),
  field('start_of_week', 'startOfWeek', whole, {
    description: 'A day number of the week that the week should start on.',
  }),
  field('language', 'language', text, { description: 'Locale code of the site.', default: 'en_US' }),
  field('use_smilies', 'useSmilies', z.boolean(), {
    description: 'Convert emoticons like :-) and :-P to graphics on display.',
    default: true,
  }),
  field('default_category', 'defaultCategory', whole, { description: 'Default post category.' }),
  field('default_post_format', 'defaultPostFormat', text, { description: 'Default post format.' }),
  field('posts_per_page', 'postsPerPage', whole, {
    title: 'Maximum posts per page',
    description: 'Blog pages show at most.',
    default: 10,
  }),
  field('show_on_front', 'showOnFront', text, {
    title: 'Show on front',
    description: 'What to show on the front page',
  }),
  field('page_on_front', 'pageOnFront', whole, {
    title: 'Page on front',
    description: 'The ID of the page that should be displayed on the front page',
  }),
  field('page_for_posts', 'pageForPosts', whole, {
    description: 'The ID of the page that should display the latest posts',
  }),
  field('default_ping_status', 'defaultPingStatus', openness, {
    description: 'Allow link notifications from other blogs (pingbacks and trackbacks) on new articles.',
  }),
  field('default_comment_status', 'defaultCommentStatus', openness, {
    title: 'Allow comments on new posts',
    description: 'Allow people to submit comments on new posts.',
  }),
  field('site_logo', 'siteLogo', whole.nullable(), { title: 'Logo', description: 'Site logo.' }),
  field('site_icon', 'siteIcon', whole, { title: 'Icon', description: 'Site icon.' }),
];

const marks = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#039;' } as const;
const plain: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(marks).map(([mark, reference]) => [reference, mark]),
);

/** Settings of the site (interface behaviour, section 32). `given`: those set at each start of the server. */
export function settingRoutes(given: GivenSettings): readonly Route<Model, Session>[] {
  const names = namesOf(given).join(', ');
  const answers = settingAnswer();
  const answer = (model: Model): Answer => {
    const site = model.site();
    return {
      body: { kind: 'json', value: settingsRecord(site) },
      ...(names === '' ? {} : { headers: { [`${site.names.headers}-Settings-From-Environment`]: names } }),
    };
  };
  return [
    {
      namespace: CONTENT,
      pattern: `/${CONTENT}/settings`,
      schema: settingSchema,
      endpoints: [
        {
          methods: ['GET'],
          args: {},
          permission: mayManage,
          answers,
          past: { what: 'the settings', permission: mayManage },
          query: ({ model }) => answer(model),
          depends: () => ['site'],
        },
        {
          methods: ['POST', 'PUT', 'PATCH'],
          mayWait: true,
          args: settingArgs(),
          permission: mayManage,
          answers,
          command: (call) => changeSettings(call.model, wantedSettings(call)) ?? answer(call.model),
        },
      ],
    },
  ];
}

function mayManage({ viewer }: Call<Model>): Refusal | null {
  return may(viewer, 'manage_options') ? null : refuse('rest_forbidden', 'Sorry, you are not allowed to do that.');
}

function settingArgs(): Args<Model> {
  return Object.fromEntries(settingFields.map((field) => [field.name, argOf(field)]));
}

function settingSchema(): unknown {
  return recordSchema('settings', Object.fromEntries(settingFields.map((field) => [field.name, propertyOf(field)])));
}

/** The response: a setting that is unset is null. */
function settingAnswer(): z.ZodType {
  // An enum would not include null.
  const plain = ({ schema }: SettingField) => (schema === openness ? text : schema);
  return z.object(Object.fromEntries(settingFields.map((field) => [field.name, plain(field).nullable()]))).partial();
}

function settingsRecord(site: Site): Readonly<Record<string, unknown>> {
  return Object.fromEntries(settingFields.map((field) => [field.name, shown(field, site)]));
}

function wantedSettings({ params, sent }: Call<Model>): WantedSettings {
  const named = settingFields.flatMap(({ name, member, store }) => {
    const given = sent(name);
    if (member === undefined || given === undefined) return [];
    const value = given === null ? null : params[name];
    return [[member, store === undefined || value === null ? value : store(String(value))]];
  });
  return Object.fromEntries(named);
}

function namesOf(given: Readonly<Partial<Record<string, unknown>>>): readonly string[] {
  return settingFields.flatMap(({ name, member = name }) => (given[member] === undefined ? [] : [name]));
}

function shown({ name, member, show }: SettingField, site: Site): unknown {
  if (member === undefined) return site[name as keyof Site];
  if (site.unset.includes(member) && (member === 'email' || !hasDefault(member))) return null;
  const value = site[member];
  return show === undefined ? value : show(String(value));
}

function field(
  name: string,
  member: SettingField['member'] | undefined,
  schema: z.ZodType,
  rest: Omit<SettingField, 'name' | 'member' | 'schema'>,
): SettingField {
  return { name, ...(member === undefined ? {} : { member }), schema, ...rest };
}

/** Without a default: settings that are not sent are kept. */
function argOf({ schema, title, description, check }: SettingField): Arg<Model> {
  const said = title === undefined ? { description } : { title, description };
  return { schema: schema.meta({ ...schema.meta(), ...said }), ...(check === undefined ? {} : { check }) };
}

function propertyOf(field: SettingField): Descriptor {
  const { required: _, ...descriptor } = argDescriptor(argOf(field));
  return field.default === undefined ? descriptor : { ...descriptor, default: field.default };
}

/** Escapes a plain text for markup with character references. */
export function asMarkup(text: string): string {
  return normaliseReferences(text).replace(/[<>"']/g, (mark) => marks[mark as keyof typeof marks]);
}

function asPlain(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#039);/g, (reference) => plain[reference] ?? reference);
}
