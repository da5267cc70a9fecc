import { SuccessScreen } from "@/components/outcome/status-screens";

export default SuccessScreen;
