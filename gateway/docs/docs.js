// The search of the docs, the language of examples, and buttons that copy them. The pages themselves need no script.
import { find, indexOf } from './search.js';

// The gateway serves the module of the package there.
const LIBRARY = '/docs/minisearch.js';
const MOST_SHOWN = 12;
const COPIED_MS = 2000;
const box = document.querySelector('search');
const input = box.querySelector('input');
const list = box.querySelector('ol');
const status = box.querySelector('p');
box.hidden = false;

async function load() {
  const [{ default: MiniSearch }, entries] = await Promise.all([
    import(LIBRARY),
    fetch('/docs/search.json').then((response) => response.json()),
  ]);
  return indexOf(MiniSearch, entries);
}

let loading;
const loaded = () => {
  loading ??= load().catch((error) => {
    loading = undefined;
    throw error;
  });
  return loading;
};

function itemOf({ id, title, kind }) {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = id;
  link.textContent = title;
  link.appendChild(document.createElement('small')).textContent = kind;
  return item;
}

function suggestionOf(text) {
  const button = document.createElement('button');
  button.textContent = text;
  button.addEventListener('click', async () => {
    input.value = text;
    input.focus();
    await show();
  });
  return ['Did you mean ', button, '?'];
}

function statusOf(query, { found, isPartial, suggestion }) {
  if (found.length > 0) return isPartial ? [`Nothing has all words of “${query}”. These pages have some:`] : [];
  const next = suggestion ? suggestionOf(suggestion) : ['Try the name of a field, of a path or of an error.'];
  return [`Nothing found for “${query}”. `, ...next];
}

async function show() {
  const query = input.value.trim();
  if (query === '') return close();
  let result;
  try {
    result = find(await loaded(), query);
  } catch {
    list.replaceChildren();
    status.replaceChildren('The search cannot be loaded. Try again.');
    return;
  }
  // A slow first load may end after the next letter was typed.
  if (query !== input.value.trim()) return;
  list.replaceChildren(...result.found.slice(0, MOST_SHOWN).map(itemOf));
  status.replaceChildren(...statusOf(query, result));
}

function close() {
  list.replaceChildren();
  status.replaceChildren();
}

function step(event) {
  const links = [input, ...list.querySelectorAll('a')];
  const at = links.indexOf(document.activeElement);
  if (at < 0) return;
  event.preventDefault();
  links[at + (event.key === 'ArrowDown' ? 1 : -1)]?.focus();
}

input.addEventListener('focus', () => loaded().catch(() => {}));
input.addEventListener('input', show);
list.addEventListener('click', close);
document.addEventListener('click', (event) => {
  if (!box.contains(event.target)) close();
});
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement === document.body) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') close();
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') step(event);
  if (event.key === 'Enter' && document.activeElement === input) list.querySelector('a')?.click();
});

// The language that a reader has chosen holds for all examples, also of other pages.
function choose(language) {
  for (const tab of document.querySelectorAll('.tabs input')) if (tab.value === language) tab.checked = true;
}
choose(localStorage.getItem('language'));
document.querySelector('main').addEventListener('change', ({ target }) => {
  localStorage.setItem('language', target.value);
  choose(target.value);
});

// A browser offers the clipboard to pages of https and of this machine alone.
if (navigator.clipboard)
  for (const figure of document.querySelectorAll('main figure')) {
    if (figure.querySelector('figcaption').textContent === 'Output') continue;
    const button = document.createElement('button');
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, COPIED_MS);
    });
    figure.prepend(button);
  }
