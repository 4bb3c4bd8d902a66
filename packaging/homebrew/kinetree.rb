class Kinetree < Formula
  desc "MuJoCo-compatible physics engine in pure Rust"
  homepage "https://github.com/kinetree/kinetree"
  url "https://github.com/kinetree/kinetree/archive/refs/tags/v0.1.0.tar.gz"
  # of the archive of the tag; see packaging/README.md
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]
  head "https://github.com/kinetree/kinetree.git", branch: "main"

  depends_on "rust" => :build

  on_linux do
    # windows and graphics drivers are looked for at run time
    depends_on "libxkbcommon"
    depends_on "vulkan-loader"
  end

  def install
    # bottles run on every CPU that Homebrew supports; the setting of the repository would ask for AVX2
    ENV["RUSTFLAGS"] = "-C target-cpu=x86-64" if Hardware::CPU.intel?
    system "cargo", "install", *std_cargo_args(path: "crates/cli")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/kinetree --version")
    (testpath/"ball.xml").write <<~XML
      <mujoco><worldbody><body pos="0 0 1"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>
    XML
    system bin/"kinetree", "step", testpath/"ball.xml", "--seconds", "0.1", "--out", testpath/"fall.csv"
    assert_path_exists testpath/"fall.csv"
  end
end
