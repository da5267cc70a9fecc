import LandingPage from "@/app/page";

export default LandingPage;
