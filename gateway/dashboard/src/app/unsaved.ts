import { useEffect, useEffectEvent } from 'react';
import { useLanguage } from '../texts/language.tsx';

/** Forms that were typed into since they were last sent. */
const typed = new Set<HTMLFormElement>();

const formOf = ({ target }: Event): HTMLFormElement | null => (target as Element).closest('#main form, .modal form');

addEventListener('input', (event) => {
  const form = formOf(event);
  if (form) typed.add(form);
});
addEventListener('submit', ({ target }) => typed.delete(target as HTMLFormElement), true);

/** Whether the page has a form that was typed into and not sent, or another part that says that it is not saved. */
const isUnsaved = (): boolean =>
  [...typed].some((form) => form.isConnected) || document.querySelector('[data-unsaved]') !== null;

/** Asks before what is typed and not sent is lost: by leaving for another page, the way back included, or closing a dialog beside it. */
export function useUnsavedGuard(): void {
  const { t } = useLanguage();
  const mayLeave = useEffectEvent(() => {
    if (!isUnsaved()) return true;
    // A navigation waits for no dialog of the page.
    const isSure = confirm(t('unsaved.leave'));
    if (isSure) typed.clear();
    return isSure;
  });
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const onNavigate = (event: NavigateEvent) => {
      const isSamePage = new URL(event.destination.url).pathname === location.pathname;
      if (event.cancelable && event.destination.sameDocument && !isSamePage && !mayLeave()) event.preventDefault();
    };
    window.navigation?.addEventListener('navigate', onNavigate, { signal });
    addEventListener('beforeunload', (event) => isUnsaved() && event.preventDefault(), { signal });
    return () => controller.abort();
  }, []);
}
