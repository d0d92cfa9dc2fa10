import { useLanguage } from '../../texts/language.tsx';
import { LinkPage } from './link-page.tsx';

/** The page of a link that signs in once. */
export default function SignInLinkPage() {
  const { t } = useLanguage();
  const texts = { title: t('signInLink.title'), text: t('signInLink.text'), action: t('signIn.action') };
  return <LinkPage path="/sign-in/link" {...texts} />;
}
