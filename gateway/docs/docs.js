// The search of the docs: every word has to occur in the title. The pages themselves need no script.
const MOST_SHOWN = 12;
const box = document.querySelector('search');
const input = box.querySelector('input');
const list = box.querySelector('ol');
box.hidden = false;

let loading;
const entries = () => {
  loading ??= fetch('/docs/search.json').then((response) => response.json());
  return loading;
};

function itemOf({ title, url, kind }) {
  const item = document.createElement('li');
  const link = item.appendChild(document.createElement('a'));
  link.href = url;
  link.textContent = `${title} `;
  link.appendChild(document.createElement('small')).textContent = kind;
  return item;
}

async function show() {
  const words = input.value
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter(Boolean);
  const found =
    words.length === 0
      ? []
      : (await entries()).filter(({ title }) => {
          const text = title.toLowerCase();
          return words.every((word) => text.includes(word));
        });
  list.replaceChildren(...found.slice(0, MOST_SHOWN).map(itemOf));
}

input.addEventListener('input', show);
document.addEventListener('keydown', (event) => {
  if (event.key === '/' && document.activeElement === document.body) {
    event.preventDefault();
    input.focus();
  }
  if (event.key === 'Escape') list.replaceChildren();
  if (event.key === 'Enter' && document.activeElement === input) list.querySelector('a')?.click();
});
