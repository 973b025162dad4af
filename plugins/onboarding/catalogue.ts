export interface StepPlace {
  readonly category: string;
  readonly step: string;
}

export interface StepText {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly button: string;
  /** Whether the step requires the shop to be active. */
  readonly needsShop?: true;
}

export interface StepCategory {
  readonly id: string;
  readonly title: string;
  readonly needsShop?: true;
  readonly steps: readonly StepText[];
}

/** Steps for setting up a site. */
export const stepCategories: readonly StepCategory[] = [
  {
    id: 'website_setup',
    title: 'Set up your website',
    steps: [
      step('edit_site_title', 'Name your site', 'The name stands on every page.', 'Change the name'),
      step('add_page', 'Add a page', 'Pages are for what stays: about you, how to reach you.', 'Write a page'),
      step('add_post', 'Add a post', 'Posts are for what is new.', 'Write a post'),
      step('image_upload', 'Add an image', 'Pictures make pages more inviting.', 'Upload an image'),
      step('edit_description', 'Revise a post', 'What is published can be made better.', 'Revise a post'),
      {
        ...step('store_tasks', 'Set up your store', 'Everything that a store needs.', 'See the tasks'),
        needsShop: true,
      },
      step('connect_domain', 'Connect a domain', 'Give the site a name of its own.', 'Connect a domain'),
      step('search_visibility', 'Be found', 'Let search engines know of the site.', 'Tell search engines'),
    ],
  },
  {
    id: 'online_store_setup',
    title: 'Set up your store',
    needsShop: true,
    steps: [
      step('setup_store', 'Set up the store', 'Where you are and what you sell in.', 'Set it up'),
      step('add_product', 'Add a product', 'Something to sell.', 'Add a product'),
      step('add_payment_method', 'Add a way to pay', 'How customers pay.', 'Add a way'),
      step('add_shipping_method', 'Add a way to ship', 'How goods reach customers.', 'Add a way'),
    ],
  },
];

export const store = 'online_store_setup';
export const storeTasks: StepPlace = { category: 'website_setup', step: 'store_tasks' };
export const connectDomain: StepPlace = { category: 'website_setup', step: 'connect_domain' };

/** The visible steps, with or without a shop. */
export function categoriesFor(hasShop: boolean): readonly StepCategory[] {
  return stepCategories
    .filter(({ needsShop }) => hasShop || needsShop !== true)
    .map((category) => ({
      ...category,
      steps: category.steps.filter(({ needsShop }) => hasShop || needsShop !== true),
    }));
}

export function isCategory(category: string): boolean {
  return stepCategories.some(({ id }) => id === category);
}

/** Whether a step exists; steps of the store's own list can be completed before there is a shop. */
export function isStep({ category, step }: StepPlace, hasShop: boolean): boolean {
  const found = stepCategories.find(({ id }) => id === category)?.steps.find(({ id }) => id === step);
  return found !== undefined && (hasShop || found.needsShop !== true);
}

function step(id: string, title: string, description: string, button: string): StepText {
  return { id, title, description, button };
}
