import { BR, CA, CN, DE, ES, FR, GB, IN, IT, JP, KR, MX, RU, US } from "country-flag-icons/string/3x2";

/** All but the default country's, in one small file that is fetched when one of them is needed. */
export const otherFlags: Record<string, string> = { BR, CA, CN, DE, ES, FR, GB, IN, IT, JP, KR, MX, RU, US };
