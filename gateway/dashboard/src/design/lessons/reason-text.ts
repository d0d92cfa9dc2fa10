import { useLanguage } from '../../texts/language.tsx';

/** The sentence about a reason that stands without the details of an error, as that of a date that is left out. */
export function useReasonText(): (reason: string) => string {
  const { t, rejected } = useLanguage();
  return (reason) =>
    reason === 'closed' ? t('substitutions.reason.closed') : rejected({ reason, message: reason.replaceAll('_', ' ') });
}
