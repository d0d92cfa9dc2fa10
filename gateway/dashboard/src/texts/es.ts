import type { Texts } from './en.ts';
import { authentication } from './es/authentication.ts';
import { keys } from './es/keys.ts';
import { shell } from './es/shell.ts';

export const es: Texts = {
  ...authentication,
  ...keys,
  ...shell,
};
