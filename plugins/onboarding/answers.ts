import { z } from 'palimpsest/plugin';

const dataOf = (value: z.ZodType) => z.object({ data: value });

const card = z.object({
  id: z.enum(['shop', 'ai']),
  image: z.literal(''),
  title: z.string(),
  link: z.url(),
  description: z.string(),
});

export const welcome = dataOf(
  z.object({
    welcome_cards: z.array(card),
    welcome_choice_done: z.union([z.string(), z.literal(false)]),
    addons_banner: z.boolean(),
    list_visible: z.boolean(),
  }),
);

const button = z.object({
  title: z.string(),
  is_skippable: z.boolean(),
  is_theme_needed: z.boolean(),
  url: z.string(),
  modal_name: z.string(),
  is_completable: z.boolean(),
});

const step = z.object({
  id: z.string(),
  is_completed: z.boolean(),
  title: z.string(),
  description: z.string(),
  image_url: z.string(),
  primary_button: button,
  secondary_button: button,
  error_message: z.string(),
});

export const steps = dataOf(
  z.object({ steps: z.array(z.object({ title: z.string(), id: z.string(), steps: z.array(step) })) }),
);

export const nothingAnswer = dataOf(z.array(z.unknown()).max(0));
export const blank = dataOf(z.literal(''));
export const onboardingSaved = dataOf(z.object({ saved: z.boolean() }));
export const onboardingToggled = z.object({ status: z.literal(true), new_state: z.boolean() });

const duration = z.string().regex(/^\d+:[0-5]\d$/);
export const tutorials = dataOf(
  z.object({ tutorials: z.array(z.object({ id: z.string(), title: z.string(), duration })) }),
);
