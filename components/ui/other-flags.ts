import BR from "country-flag-icons/string/3x2/BR";
import CA from "country-flag-icons/string/3x2/CA";
import CN from "country-flag-icons/string/3x2/CN";
import DE from "country-flag-icons/string/3x2/DE";
import ES from "country-flag-icons/string/3x2/ES";
import FR from "country-flag-icons/string/3x2/FR";
import GB from "country-flag-icons/string/3x2/GB";
import IN from "country-flag-icons/string/3x2/IN";
import IT from "country-flag-icons/string/3x2/IT";
import JP from "country-flag-icons/string/3x2/JP";
import KR from "country-flag-icons/string/3x2/KR";
import MX from "country-flag-icons/string/3x2/MX";
import RU from "country-flag-icons/string/3x2/RU";
import US from "country-flag-icons/string/3x2/US";

/** Every flag except the default country's. This module is a separate chunk, loaded on demand. */
export const otherFlags: Record<string, string> = { BR, CA, CN, DE, ES, FR, GB, IN, IT, JP, KR, MX, RU, US };
