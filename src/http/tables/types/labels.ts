import { archiveTitle } from '#domain/entry/content-type.ts';

/** Display names of a type, for one item and for several: `Post`, `Posts`. */
export interface Names {
  readonly name: string;
  readonly singular: string;
  readonly hierarchical: boolean;
}

export type Labels = Readonly<Record<string, string | null>>;

/** Texts for a content type in editors. Null: not applicable to the type. */
export function typeLabels({ name, singular, hierarchical }: Names): Labels {
  const [many, one] = [name.toLowerCase(), singular.toLowerCase()];
  return {
    name,
    singular_name: singular,
    add_new: `Add ${singular}`,
    add_new_item: `Add ${singular}`,
    edit_item: `Edit ${singular}`,
    new_item: `New ${singular}`,
    view_item: `View ${singular}`,
    view_items: `View ${name}`,
    search_items: `Search ${name}`,
    not_found: `No ${many} found.`,
    not_found_in_trash: `No ${many} found in the trash.`,
    parent_item_colon: hierarchical ? `Parent ${singular}:` : null,
    all_items: `All ${name}`,
    archives: archiveTitle({ singular }),
    attributes: `${singular} attributes`,
    insert_into_item: `Insert into ${one}`,
    uploaded_to_this_item: `Uploaded to this ${one}`,
    featured_image: 'Featured image',
    set_featured_image: 'Set featured image',
    remove_featured_image: 'Remove featured image',
    use_featured_image: 'Use as featured image',
    filter_items_list: `Filter the list of ${many}`,
    filter_by_date: 'Filter by date',
    items_list_navigation: `Pages of the list of ${many}`,
    items_list: `List of ${many}`,
    item_published: `${singular} published.`,
    item_published_privately: `${singular} published privately.`,
    item_reverted_to_draft: `${singular} is a draft again.`,
    item_trashed: `${singular} moved to the trash.`,
    item_scheduled: `${singular} scheduled.`,
    item_updated: `${singular} updated.`,
    item_link: `${singular} link`,
    item_link_description: `A link to a ${one}.`,
    menu_name: name,
    name_admin_bar: singular,
    template_name: `Single item: ${singular}`,
  };
}

/** Texts for a taxonomy in editors. Null: not applicable to its terms. */
export function taxonomyLabels({ name, singular, hierarchical }: Names): Labels {
  const many = name.toLowerCase();
  const [nested, flat] = hierarchical ? [(text: string) => text, () => null] : [() => null, (text: string) => text];
  return {
    name,
    singular_name: singular,
    search_items: `Search ${name}`,
    popular_items: flat(`Popular ${name}`),
    all_items: `All ${name}`,
    parent_item: nested(`Parent ${singular}`),
    parent_item_colon: nested(`Parent ${singular}:`),
    name_field_description: 'The name as it appears on the site.',
    slug_field_description: 'The name in addresses: lower-case letters, numbers and hyphens.',
    parent_field_description: nested('A parent makes a hierarchy.'),
    desc_field_description: 'The description is shown where the site has a place for it.',
    edit_item: `Edit ${singular}`,
    view_item: `View ${singular}`,
    update_item: `Update ${singular}`,
    add_new_item: `Add ${singular}`,
    new_item_name: `Name of the new ${singular.toLowerCase()}`,
    template_name: `Archive: ${singular}`,
    separate_items_with_commas: flat(`Separate ${many} with commas`),
    add_or_remove_items: flat(`Add or remove ${many}`),
    choose_from_most_used: flat(`Choose from the most used ${many}`),
    not_found: `No ${many} found.`,
    no_terms: `No ${many}`,
    filter_by_item: nested(`Filter by ${singular.toLowerCase()}`),
    items_list_navigation: `Pages of the list of ${many}`,
    items_list: `List of ${many}`,
    most_used: 'Most used',
    back_to_items: `Back to ${many}`,
    item_link: `${singular} link`,
    item_link_description: `A link to a ${singular.toLowerCase()}.`,
    menu_name: name,
    name_admin_bar: singular,
  };
}
