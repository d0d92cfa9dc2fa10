// The search of the docs, apart from its page: the tests search by it too.
const BOOST = { title: 5, names: 2, text: 1 };
const KIND_BOOST = { guide: 2, group: 2, object: 0.5, event: 0.5 };

/** An index of the entries of `search.json`, by the class of the library. */
export function indexOf(MiniSearch, entries) {
  const index = new MiniSearch({
    idField: 'url',
    fields: Object.keys(BOOST),
    storeFields: ['title', 'kind'],
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean),
  });
  index.addAll(entries);
  return index;
}

/** Finds entries with all words of the query, else those with some of them; and suggests another query where nothing is found. */
export function find(index, query) {
  const options = {
    prefix: true,
    fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    boost: BOOST,
    boostDocument: (_, __, { kind }) => KIND_BOOST[kind] ?? 1,
  };
  const all = index.search(query, { ...options, combineWith: 'AND' });
  if (all.length > 0) return { found: all, isPartial: false };
  const some = index.search(query, options);
  if (some.length > 0) return { found: some, isPartial: true };
  const [near] = index.search(query, { fuzzy: 0.4, fields: ['title'] });
  return { found: [], isPartial: false, suggestion: near?.terms.join(' ') };
}
