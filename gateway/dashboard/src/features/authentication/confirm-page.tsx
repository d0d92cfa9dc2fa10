import { useLanguage } from '../../texts/language.tsx';
import { LinkPage } from './link-page.tsx';

/** The page of the link that confirms an address and makes its account. */
export default function ConfirmPage() {
  const { t } = useLanguage();
  return <LinkPage path="/confirm" title={t('confirm.title')} text={t('confirm.text')} action={t('confirm.action')} />;
}
