interface Categories {
  terms(taxonomy: 'category'): readonly { readonly id: number; readonly parent: number }[];
}

/** Categories and all below them. */
export function withDescendants(terms: readonly number[], model: Categories): readonly number[] {
  const found = new Set(terms);
  const all = model.terms('category');
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const term of all) if (found.has(term.parent)) found.add(term.id);
  }
  return [...found];
}
