const STORED = 'swim-theme';

export const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const prefersDark = () => matchMedia('(prefers-color-scheme: dark)');

/** The theme that was chosen in this browser. */
export function chosenTheme(): Theme {
  const stored = localStorage.getItem(STORED) as Theme | null;
  return stored && THEMES.includes(stored) ? stored : 'system';
}

function apply(): void {
  const chosen = chosenTheme();
  const theme = chosen === 'system' ? (prefersDark().matches ? 'dark' : 'light') : chosen;
  document.documentElement.dataset.theme = theme;
}

/** Applies the chosen theme, and follows the system's where none is. */
export function startTheme(): void {
  apply();
  prefersDark().addEventListener('change', apply);
}

/** Remembers a theme and applies it. */
export function chooseTheme(theme: Theme): void {
  localStorage.setItem(STORED, theme);
  apply();
}
