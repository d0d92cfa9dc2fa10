import type { Texts } from './en.ts';
import { authentication } from './es/authentication.ts';
import { developers } from './es/developers.ts';
import { keys } from './es/keys.ts';
import { settings } from './es/settings.ts';
import { shell } from './es/shell.ts';

export const es: Texts = {
  ...authentication,
  ...developers,
  ...keys,
  ...settings,
  ...shell,
};
