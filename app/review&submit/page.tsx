import HomePage from "@/app/home/page";

export default HomePage;
